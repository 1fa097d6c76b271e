import { elementsOf } from '@meridian/schema-changes';
import { parse } from 'graphql';

/**
 * Says whether an element was deprecated in an earlier supergraph, which is read when it is first needed. Where there
 * is none, history does not reach back so far, and nothing was.
 */
export function wasDeprecatedIn(readSupergraph: () => string | undefined): (coordinate: string) => boolean {
  let deprecated: ReadonlySet<string> | undefined;
  return (coordinate) => {
    deprecated ??= deprecatedIn(readSupergraph());
    return deprecated.has(coordinate);
  };
}

function deprecatedIn(sdl: string | undefined): ReadonlySet<string> {
  return new Set(
    Array.from(sdl === undefined ? [] : elementsOf(parse(sdl)))
      .filter(({ directives }) => directives.some(({ name }) => name.value === 'deprecated'))
      .map(({ coordinate }) => coordinate),
  );
}
