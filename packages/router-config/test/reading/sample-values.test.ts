import { describe, expect, it } from '@jest/globals';
import { checkConfig } from '@meridian/router-config';

import { pathsOf } from '../../src/keys/keys-in.ts';
import { routerFile } from '../../src/sections/router-file.ts';

/** A document that holds a value at one path alone; `*` is a name, `[]` the first item. */
function documentWith(path: string, value: unknown): unknown {
  return path
    .split(/\.|(?=\[\])/)
    .reduceRight((held, key) => (key === '[]' ? [held] : { [key === '*' ? 'any' : key]: held }), value);
}

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
