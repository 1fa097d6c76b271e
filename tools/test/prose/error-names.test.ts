import { describe, expect, it } from '@jest/globals';

import { errorNameFaults } from '../../prose/check-prose.ts';
import { proseFile } from '../../prose/prose-file.ts';

describe('An error class', () => {
  it.each([
    ['has no name', 'class Late extends Error {}', 1],
    ['has the name of another', "class Late extends Error {\n  override readonly name = 'Early';\n}", 1],
    ['gets its name in the constructor', "this.name = 'Late';", 1],
  ])('is a fault where it %s', (_fault, source, line) => {
    expect(errorNameFaults(proseFile('late.ts', source))).toMatchObject([{ path: 'late.ts', line }]);
  });

  it('is named by a field', () => {
    const source = "class Late extends TypeError {\n  override readonly name: string = 'Late';\n}";
    expect(errorNameFaults(proseFile('late.ts', source))).toEqual([]);
  });
});
