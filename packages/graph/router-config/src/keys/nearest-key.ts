import { editDistance } from '@meridian/settings/values';

/** The number of unknown keys of one file that are compared with all known ones: an author reads no more. */
const maxCompared = 50;
/** The longest path that is compared. */
const maxLength = 200;

/** Creates a function that completes a sentence about an unknown key of a file. */
export function nearestKeyRemarks(known: readonly string[]): (path: string) => string {
  let compared = 0;
  return (path) => {
    compared += 1;
    if (compared > maxCompared) {
      return 'docs/router-yaml.md has every known key';
    }
    const nearest = path.length > maxLength ? undefined : nearestKey(path, known);
    return nearest === undefined ? 'no known key has a similar name' : `the nearest known key is ${nearest}`;
  };
}

/**
 * The known path that the author most likely meant: one with the same last name in another place, unless a name in the
 * same place is almost equal; else the one with the fewest letters to change, in the same place if possible. Undefined
 * where more than half of the letters would change.
 */
function nearestKey(path: string, known: readonly string[]): string | undefined {
  const name = lastName(path);
  const siblings = known.filter((candidate) => parentOf(candidate) === parentOf(path));
  const sibling = closest(name, siblings, lastName);
  if (sibling !== undefined && editDistance(name, lastName(sibling)) <= Math.max(2, name.length / 3)) {
    return sibling;
  }
  return (
    known.find((candidate) => lastName(candidate) === name) ??
    (sibling === undefined
      ? ifSimilar(
          path,
          closest(path, known, (candidate) => candidate),
        )
      : ifSimilar(path, sibling, lastName))
  );
}

function ifSimilar(
  path: string,
  candidate: string | undefined,
  part = (text: string): string => text,
): string | undefined {
  return candidate !== undefined && editDistance(part(path), part(candidate)) <= part(path).length / 2
    ? candidate
    : undefined;
}

function closest(
  text: string,
  candidates: readonly string[],
  part: (candidate: string) => string,
): string | undefined {
  const ranked = candidates.map((candidate) => ({ candidate, letters: editDistance(text, part(candidate)) }));
  return ranked.toSorted((one, other) => one.letters - other.letters)[0]?.candidate;
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('.'), 0));
}
