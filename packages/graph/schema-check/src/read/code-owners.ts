import { matchesGlob } from 'node:path';

/** The owners of a file, in CODEOWNERS' order. */
export type OwnersOf = (path: string) => readonly string[];

interface OwnerRule {
  readonly globs: readonly string[];
  readonly owners: readonly string[];
}

/** Reads a CODEOWNERS file: the last line that matches counts. */
export function readCodeOwners(text: string): OwnersOf {
  const rules = text
    .split('\n')
    .map((line) => (line.split('#', 1)[0] ?? '').trim())
    .filter((line) => line !== '')
    .map(readRule)
    .toReversed();
  return (path) => rules.find(({ globs }) => globs.some((glob) => matchesGlob(path, glob)))?.owners ?? [];
}

/**
 * As in a .gitignore: a leading slash is the root's; without one, a name is found at any depth; a folder means all in
 * it.
 */
function readRule(line: string): OwnerRule {
  const [pattern = '', ...owners] = line.split(/\s+/u);
  const isFolder = pattern.endsWith('/');
  const plain = pattern
    .replace(/^\//u, '')
    .replace(/\/$/u, '')
    // Letters like any others here. To `matchesGlob` they begin alternatives, which multiply.
    .replaceAll(/[{}()]/gu, '?');
  const isAnchored = pattern.startsWith('/') || plain.includes('/');
  const place = isAnchored ? plain : `**/${plain}`;
  return { globs: isFolder ? [`${place}/**`] : [place, `${place}/**`], owners };
}
