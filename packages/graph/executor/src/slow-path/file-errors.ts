import type { SelectedField, SelectionSet } from '../operation/selection.ts';
import { fieldsWhere } from '../operation/fields-where.ts';
import type { ExecutionError, ResponsePath } from '../result.ts';
import type { FoundPart } from '../selections/deferred-parts.ts';
import type { ErrorPlace } from './error-places.ts';
import { addError, createErrorPlace, errorsAt } from './error-places.ts';

/** The errors of a run with deferred fragments, for each of its parts. */
export interface FiledErrors {
  /** The errors of the fields of the first result, and the errors without a path. */
  ofFirst(selections: SelectionSet): readonly ExecutionError[];
  /** The errors of the fields of a deferred fragment. One whose field is in several fragments is in each of them. */
  ofPart(found: FoundPart): readonly ExecutionError[];
  /** The errors that no part had. */
  left(): readonly ExecutionError[];
}

/** @param errors of the run so far; they may become more */
export function createFiledErrors(errors: () => readonly ExecutionError[]): FiledErrors {
  const filed = new Set<ExecutionError>();
  const root = createErrorPlace();
  let count = 0;
  const readErrors = (): ErrorPlace => {
    const all = errors();
    for (; count < all.length; count += 1) {
      const error = all[count];
      if (error?.path !== undefined) {
        addError(root, error, error.path);
      }
    }
    return root;
  };
  const file = (found: readonly ExecutionError[]): readonly ExecutionError[] => {
    found.forEach((error) => filed.add(error));
    return found;
  };
  return {
    ofFirst: (selections) =>
      file(errors().filter(({ path }) => path === undefined || selects([selections], path))),
    ofPart: ({ part, fragment: { path } }) =>
      file(
        errorsAt(readErrors(), path).filter((error) =>
          selects(part.sets, error.path?.slice(path.length) ?? []),
        ),
      ),
    left: () => file(errors().filter((error) => !filed.has(error))),
  };
}

/** True when a path leads to fields that are selected outside of deferred fragments. */
function selects(sets: readonly SelectionSet[], path: ResponsePath): boolean {
  let here = sets;
  for (const key of path) {
    if (typeof key === 'string') {
      here = here
        .flatMap((set) => fieldsWhere<SelectedField>(set, (_condition, deferral) => deferral === undefined))
        .filter(({ responseName }) => responseName === key)
        .map(({ selections }) => selections);
      if (here.length === 0) {
        return false;
      }
    }
  }
  return true;
}
