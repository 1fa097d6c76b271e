import type { ExecutionError, ResponsePath } from '../result.ts';

/** Errors by the keys of their paths, as a tree. */
export interface ErrorPlace {
  readonly below: Map<string | number, ErrorPlace>;
  readonly errors: ExecutionError[];
}

export function createErrorPlace(): ErrorPlace {
  return { below: new Map(), errors: [] };
}

export function addError(root: ErrorPlace, error: ExecutionError, path: ResponsePath): void {
  let place = root;
  for (const key of path) {
    const next = place.below.get(key) ?? createErrorPlace();
    place.below.set(key, next);
    place = next;
  }
  place.errors.push(error);
}

/** The errors at a path, and below it. */
export function errorsAt(root: ErrorPlace, path: ResponsePath): readonly ExecutionError[] {
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
