import { describe, expect, it } from '@jest/globals';
import { checkConfig } from '@meridian/router-config';

import { pathsOf } from '../../src/keys/keys-in.ts';
import { routerFile } from '../../src/sections/router-file.ts';
import { documentWith } from '../document-with.fixture.ts';

describe('A variable without a value', () => {
  it.each(pathsOf(routerFile.schema))('is accepted in place of what %s takes', (path) => {
    const text = JSON.stringify(documentWith(path, '${env.NOWHERE_SET}'));
    const { faults, missing } = checkConfig(
      { name: 'router.yaml', text },
      { env: {}, readFile: () => '', mode: 'production' },
    );
    expect(missing).toEqual(['env.NOWHERE_SET']);
    expect(faults.filter((fault) => fault.includes(': holds '))).toEqual([]);
  });
});
