import type { SelectionSet } from '../operation/selection.ts';
import type { ResponsePath } from '../result.ts';

/**
 * A path of the data in the client's names. It ends before fields that only the plan selects, such as the input of a
 * `@requires`.
 */
export type ClientPath = (path: ResponsePath) => ResponsePath;

interface ClientField {
  readonly responseName: string;
  readonly below: ClientFields;
}

type ClientFields = Map<string, ClientField>;

export function createClientPath(selections: SelectionSet): ClientPath {
  let root: ClientFields | undefined;
  return (path) => {
    // Most operations never fail.
    root ??= fieldsOf(selections);
    let fields = root;
    const clientPath: (string | number)[] = [];
    for (const key of path) {
      if (typeof key === 'number') {
        clientPath.push(key);
        continue;
      }
      const field = fields.get(key);
      if (field === undefined) {
        break;
      }
      clientPath.push(field.responseName);
      fields = field.below;
    }
    return clientPath;
  };
}

/** A plan name determines the response name, whatever the type. */
function fieldsOf(selections: SelectionSet, fields: ClientFields = new Map()): ClientFields {
  for (const selection of selections) {
    if (selection.kind === 'fragment') {
      fieldsOf(selection.selections, fields);
    } else {
      const { planName, responseName } = selection;
      const field = fields.get(planName) ?? { responseName, below: new Map() };
      fields.set(planName, field);
      fieldsOf(selection.selections, field.below);
    }
  }
  return fields;
}
