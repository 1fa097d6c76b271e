import type { ExecutionError, ResponsePath } from '../result.ts';

/** The keys of the places of errors, as a tree. */
interface Place {
  readonly below: Map<string | number, Place>;
  hasError: boolean;
}

/** Says whether no error accounts for what is wrong at a path: one in the same place, above it or below it. */
export function createUnexplained(errors: readonly ExecutionError[]): (path: ResponsePath) => boolean {
  const root: Place = { below: new Map(), hasError: false };
  for (const error of errors) {
    // Errors that were left out may be of any place; another error without a path is of none that the client knows.
    const path = error.path ?? (error.kind === 'omitted' ? [] : undefined);
    if (path !== undefined) {
      addPlace(root, path);
    }
  }
  return (path) => {
    let place = root;
    for (const key of path) {
      const next = place.below.get(key);
      if (place.hasError || next === undefined) {
        return !place.hasError;
      }
      place = next;
    }
    return !place.hasError && place.below.size === 0;
  };
}

function addPlace(root: Place, path: ResponsePath): void {
  let place = root;
  for (const key of path) {
    const next = place.below.get(key) ?? { below: new Map(), hasError: false };
    place.below.set(key, next);
    place = next;
  }
  place.hasError = true;
}
