import { describe, expect, it } from '@jest/globals';

import { pathsOf } from '../../src/keys/keys-in.ts';
import { keysByTask } from '../../src/reference/keys-by-task.ts';
import { keyNote, notedPaths } from '../../src/reference/key-notes.ts';
import { routerFile } from '../../src/sections/router-file.ts';
import { routerOnlyKeys } from '../../src/keys/router-only-keys.ts';

const known = pathsOf(routerFile.schema);

/** Those that hold a value, not just further keys. */
const leaves = known.filter(
  (path) => !known.some((other) => /^(?:\.|\[\])/.test(other.slice(path.length)) && other.startsWith(path)),
);

describe('The index by task', () => {
  it('names only keys that exist, or that others start with', () => {
    const named = [...keysByTask.values()].flat();
    expect(named.filter((path) => !known.some((key) => key === path || key.startsWith(`${path}.`)))).toEqual(
      [],
    );
  });

  it('leads to every section', () => {
    const sectionOf = (path: string): string => path.replace(/\..*$/u, '');
    expect(new Set([...keysByTask.values()].flat().map(sectionOf))).toEqual(new Set(known.map(sectionOf)));
  });
});

describe('The notes on keys', () => {
  it('cover every key that holds a value', () => {
    expect(leaves.filter((path) => keyNote(path) === undefined)).toEqual([]);
  });

  it('name only keys that exist', () => {
    const withItems = new Set([...known, ...known.map((path) => path.replace(/\[\].*$/, ''))]);
    const names = notedPaths.filter((path) => !withItems.has(path) && !path.endsWith('.*'));
    expect(names).toEqual([]);
  });

  it('name no key that only Apollo Router has', () => {
    expect([...routerOnlyKeys.keys()].filter((path) => known.includes(path))).toEqual([]);
  });
});
