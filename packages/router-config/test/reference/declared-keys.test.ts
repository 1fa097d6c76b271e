import { describe, expect, it } from '@jest/globals';
import { checkConfig } from '@meridian/router-config';

import { pathsOf } from '../../src/keys/keys-in.ts';
import { routerOnlyKeys } from '../../src/keys/router-only-keys.ts';
import { keysByTask } from '../../src/reference/keys-by-task.ts';
import { routerFile } from '../../src/sections/router-file.ts';
import { documentWith } from '../document-with.fixture.ts';

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
    const remarks = leaves.flatMap((path) => {
      const text = JSON.stringify(documentWith(path, '${env.NOWHERE_SET}'));
      const file = { name: 'router.yaml', text };
      return checkConfig(file, { env: {}, readFile: () => '', mode: 'production' }).keys;
    });
    expect(remarks.filter(({ remark, verdict }) => remark === '' || verdict === 'unknown')).toEqual([]);
  });

  it('is not among the keys that only Apollo Router has', () => {
    expect(routerOnlyKeys.flatMap(({ keys }) => keys).filter((path) => known.includes(path))).toEqual([]);
  });
});
