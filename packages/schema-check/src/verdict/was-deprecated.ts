import { deprecatedCoordinates } from '../deprecations/deprecated-since.ts';

/**
 * Says whether an element was deprecated in an earlier supergraph, which is read when it is first needed. Where there
 * is none, history does not reach back so far, and nothing was.
 */
export function wasDeprecatedIn(readSupergraph: () => string | undefined): (coordinate: string) => boolean {
  let deprecated: ReadonlySet<string> | undefined;
  return (coordinate) => {
    deprecated ??= deprecatedInFile(readSupergraph());
    return deprecated.has(coordinate);
  };
}

function deprecatedInFile(sdl: string | undefined): ReadonlySet<string> {
  return sdl === undefined ? new Set() : deprecatedCoordinates(sdl);
}
