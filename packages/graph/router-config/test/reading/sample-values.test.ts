import { describe, expect, it } from '@jest/globals';

import { pathsOf } from '../../src/keys/keys-in.ts';
import { routerFile } from '../../src/sections/router-file.ts';
import { check, fileWith } from '../read.fixture.ts';

describe('A variable without a value', () => {
  it.each(pathsOf(routerFile.schema))('is accepted in place of what %s takes', (path) => {
    const { faults, missing } = check(fileWith(path, '${env.NOWHERE_SET}'));
    expect(missing).toEqual(['env.NOWHERE_SET']);
    expect(faults.filter((fault) => fault.includes(': holds '))).toEqual([]);
  });
});
