import type { ArgumentNode, DocumentNode, GraphQLSchema } from 'graphql';
import { TypeInfo, visit, visitWithTypeInfo } from 'graphql';

import type { PageSizeCheck } from '../../operation/compiled-operation.ts';
import type { PageSizes } from '../../supergraph/page-sizes.ts';

/** Finds the paging arguments of an operation. */
export function findPageSizes(
  schema: GraphQLSchema,
  document: DocumentNode,
  pageSizeOf: PageSizes,
): readonly PageSizeCheck[] {
  const found: PageSizeCheck[] = [];
  const typeInfo = new TypeInfo(schema);
  const inspect = ({ name, value }: ArgumentNode): void => {
    const parent = typeInfo.getParentType();
    const field = typeInfo.getFieldDef();
    const max = parent && field && pageSizeOf(parent.name, field.name, name.value);
    if (max !== null && max !== undefined) {
      found.push({ argument: name.value, value, max });
    }
  };
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Argument(node) {
        if (typeInfo.getDirective() === null || typeInfo.getDirective() === undefined) {
          inspect(node);
        }
      },
    }),
  );
  return found;
}
