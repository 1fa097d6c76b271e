import { describe, expect, it } from '@jest/globals';

import { pathsOf } from '../src/keys-in.ts';
import { keyNote, notedPaths } from '../src/reference/key-notes.ts';
import { routerFile } from '../src/router-file.ts';
import { routerOnlyKeys } from '../src/router-only-keys.ts';

const known = pathsOf(routerFile.schema);

/** Those that hold a value, not just further keys. */
const leaves = known.filter(
  (path) => !known.some((other) => /^(?:\.|\[\])/.test(other.slice(path.length)) && other.startsWith(path)),
);

describe('the notes on keys', () => {
  it('are there for every key that holds a value', () => {
    expect(leaves.filter((path) => keyNote(path) === undefined)).toEqual([]);
  });

  it('are on keys that there are', () => {
    const withItems = new Set([...known, ...known.map((path) => path.replace(/\[\].*$/, ''))]);
    const names = notedPaths.filter((path) => !withItems.has(path) && !path.endsWith('.*'));
    expect(names).toEqual([]);
  });

  it('say nothing of keys that only Apollo Router has, which a key cannot be at once', () => {
    expect([...routerOnlyKeys.keys()].filter((path) => known.includes(path))).toEqual([]);
  });
});
