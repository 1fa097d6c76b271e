import type { ExecutionError, ResponsePath } from '../result.ts';

/** The keys of the places of errors, as a tree. */
interface Place {
  readonly below: Map<string | number, Place>;
  hasError: boolean;
}

/** True when no error explains a fault at a path: none at the same place, above it or below it. */
export function createIsUnexplained(errors: readonly ExecutionError[]): (path: ResponsePath) => boolean {
  const root: Place = { below: new Map(), hasError: false };
  for (const error of errors) {
    // Omitted errors may have any place; another error without a path has none that the client knows.
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
