import type { PageSizeCheck } from '../../operation/compiled-operation.ts';
import type { SelectedField } from '../../operation/selected-fields.ts';
import type { PageSizes } from '../../supergraph/page-sizes.ts';

/** Finds the paging arguments of an operation. */
export function findPageSizes(
  fields: readonly SelectedField[],
  pageSizeOf: PageSizes,
): readonly PageSizeCheck[] {
  return fields.flatMap(({ parentName, node }) =>
    (node.arguments ?? []).flatMap(({ name, value }) => {
      const max = pageSizeOf(parentName, node.name.value, name.value);
      return max === undefined ? [] : [{ argument: name.value, value, max }];
    }),
  );
}
