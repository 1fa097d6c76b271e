import { describe, expect, it } from '@jest/globals';

import { pathsOf } from '../../src/keys/keys-in.ts';
import { routerOnlyKeys } from '../../src/keys/router-only-keys.ts';
import { keysByTask } from '../../src/reference/keys-by-task.ts';
import { referencePage } from '../../src/reference/reference-page.ts';
import { routerFile } from '../../src/sections/router-file.ts';
import { check, fileWith } from '../read.fixture.ts';

const known = pathsOf(routerFile.schema);

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

describe('A declared key', () => {
  it('has a note, which the check prints', () => {
    const leaves = known.filter(
      (path) =>
        !known.some((other) => /^(?:\.|\[\])/.test(other.slice(path.length)) && other.startsWith(path)),
    );
    const remarks = leaves.flatMap((path) => check(fileWith(path, '${env.NOWHERE_SET}')).keys);
    expect(remarks.filter(({ remark, verdict }) => remark === '' || verdict === 'unknown')).toEqual([]);
  });

  it('is not among the keys that only Apollo Router has', () => {
    expect(routerOnlyKeys.flatMap(({ keys }) => keys).filter((path) => known.includes(path))).toEqual([]);
  });

  it('is on the page once, with its note and what it takes: a map of any form is a value', () => {
    const rows = referencePage().matchAll(
      /^\| `(meridian\.override_labels\S*)` \| (.+?) \|.*\| (.*?) ?\|$/gmu,
    );
    expect(Array.from(rows, ([, path, takes, note]) => [path, takes, note?.slice(0, 24)])).toEqual([
      ['meridian.override_labels.*', '`true`, `false`, or a map', 'The labels of `@override'],
      ['meridian.override_labels.*.claim', 'a map', 'Callers whose verified t'],
      ['meridian.override_labels.*.claim.name', 'a text', 'A claim of the token'],
      ['meridian.override_labels.*.claim.values', 'a list', 'The values of the claim '],
    ]);
    expect(referencePage()).not.toMatch(/condition\.\*`/u);
  });
});
