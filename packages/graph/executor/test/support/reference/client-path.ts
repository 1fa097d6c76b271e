import type { SelectedField, SelectionSet } from '../../../src/operation/selection.ts';
import type { ResponsePath } from '../../../src/result.ts';

/** A path of the data in the client's names. It ends where it goes on to what only the plan selects. */
export function clientPath(path: ResponsePath, selections: SelectionSet): ResponsePath {
  const [key, ...rest] = path;
  if (key === undefined) {
    return [];
  }
  if (typeof key === 'number') {
    return [key, ...clientPath(rest, selections)];
  }
  const fields = fieldsOf(selections).filter(({ planName }) => planName === key);
  const [field] = fields;
  return field === undefined
    ? []
    : [
        field.responseName,
        ...clientPath(
          rest,
          fields.flatMap((same) => same.selections),
        ),
      ];
}

function fieldsOf(selections: SelectionSet): readonly SelectedField[] {
  return selections.flatMap((selection) =>
    selection.kind === 'field' ? [selection] : fieldsOf(selection.selections),
  );
}
