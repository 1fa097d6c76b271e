import type { ExecutionError, ResponsePath } from '../result.ts';
import type { SelectedField, SelectionSet } from '../operation/selection.ts';
import { fieldsWhere } from '../operation/selection.ts';
import type { FoundPart } from '../selections/deferred-parts.ts';

/** Errors by the keys of their paths, as a tree. */
interface ErrorPlace {
  readonly below: Map<string | number, ErrorPlace>;
  readonly errors: ExecutionError[];
}

function createErrorPlace(): ErrorPlace {
  return { below: new Map(), errors: [] };
}

function addError(root: ErrorPlace, error: ExecutionError, path: ResponsePath): void {
  let place = root;
  for (const key of path) {
    const next = place.below.get(key) ?? createErrorPlace();
    place.below.set(key, next);
    place = next;
  }
  place.errors.push(error);
}

/** The errors at a path, and below it. */
function errorsAt(root: ErrorPlace, path: ResponsePath): readonly ExecutionError[] {
  const place = path.reduce<ErrorPlace | undefined>((above, key) => above?.below.get(key), root);
  return place === undefined ? [] : errorsIn(place);
}

function errorsIn({ errors, below }: ErrorPlace): readonly ExecutionError[] {
  return [...errors, ...below.values().flatMap(errorsIn)];
}

/** True when no error explains a fault at a path: none at the same place, above it or below it. */
export function createIsUnexplained(errors: readonly ExecutionError[]): (path: ResponsePath) => boolean {
  const root = createErrorPlace();
  for (const error of errors) {
    // Omitted errors may have any place; another error without a path has none that the client knows.
    const path = error.path ?? (error.kind === 'omitted' ? [] : undefined);
    if (path !== undefined) {
      addError(root, error, path);
    }
  }
  return (path) => {
    let place = root;
    for (const key of path) {
      const next = place.below.get(key);
      if (place.errors.length > 0 || next === undefined) {
        return place.errors.length === 0;
      }
      place = next;
    }
    return place.errors.length === 0 && place.below.size === 0;
  };
}

/** The errors of a run with deferred fragments, for each of its parts. */
interface FiledErrors {
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
