import { describe, expect, it } from '@jest/globals';

import { faultsIn } from '../../rules/check-rules.ts';
import type { Rule } from '../../rules/parse-rules.ts';

const tested: Rule = {
  section: 'Reads',
  id: 'reads.1',
  text: 'answers 304',
  files: ['apps/a/src/read.ts'],
  tests: [{ file: 'apps/a/test/read.test.ts', name: 'answers 304' }],
  state: 'tested',
};
const expected = ['Reads › reads.1'];
const files = new Map([
  ['apps/a/src/read.ts', new Set<string>()],
  ['apps/a/test/read.test.ts', new Set(['answers 304', 'answers ${…}'])],
]);
const checkout = {
  exists: (path: string) => files.has(path),
  testNames: (path: string) => files.get(path) ?? new Set<string>(),
};

describe('faultsIn', () => {
  it('finds nothing wrong with a tested row, a row that waits, and one that the specification leaves open', () => {
    const waiting: Rule = { ...tested, id: 'reads.2', tests: [], files: [], state: 'not yet' };
    const open: Rule = { ...waiting, id: 'reads.3', text: 'the rest is not shown', state: 'left open' };
    expect(
      faultsIn([tested, waiting, open], [...expected, 'Reads › reads.2', 'Reads › reads.3'], checkout),
    ).toEqual([]);
  });

  it('finds a test whose name holds an expression', () => {
    const row = { ...tested, tests: [{ file: 'apps/a/test/read.test.ts', name: 'answers ${status}' }] };
    expect(faultsIn([row], expected, checkout)).toEqual([]);
  });

  it('reports a row that vanished', () => {
    expect(faultsIn([], expected, checkout)).toEqual(['Reads › reads.1: the row is missing']);
  });

  it('reports a row that moved to another section', () => {
    expect(faultsIn([{ ...tested, section: 'Writes' }], expected, checkout)).toEqual([
      'Reads › reads.1: the row is missing',
      'Writes › reads.1: not in docs/rule-ids.txt',
    ]);
  });

  it('reports an id that the list does not have', () => {
    expect(faultsIn([tested], [], checkout)).toEqual(['Reads › reads.1: not in docs/rule-ids.txt']);
  });

  it('reports an id that occurs twice', () => {
    expect(faultsIn([tested, tested], expected, checkout)).toEqual(['reads.1: the id is in two rows']);
  });

  it.each<[string, Partial<Rule>, string]>([
    ['a missing file', { files: ['apps/a/src/gone.ts'] }, 'there is no file apps/a/src/gone.ts'],
    ['a tested row without a file', { files: [] }, 'it has a test, but does not say where it is kept'],
    [
      'a missing test file',
      { tests: [{ file: 'apps/a/test/gone.test.ts', name: 'answers 304' }] },
      'there is no test file apps/a/test/gone.test.ts',
    ],
    [
      'a test file that jest does not run',
      { tests: [{ file: 'apps/a/src/read.ts', name: 'answers 304' }] },
      'jest does not run apps/a/src/read.ts',
    ],
    [
      'a test name that the file does not hold',
      { tests: [{ file: 'apps/a/test/read.test.ts', name: 'answers 305' }] },
      'apps/a/test/read.test.ts has no test "answers 305" that runs',
    ],
    [
      'a row that is neither tested nor waiting',
      { tests: [], state: 'unclear' },
      'the last cell is neither "[file](path) › test name" nor "not yet"',
    ],
    [
      'a rule left open that the specification states',
      { tests: [], state: 'left open' },
      'only what the specification calls "not shown" may be left open',
    ],
  ])('reports %s', (_, change, fault) => {
    expect(faultsIn([{ ...tested, ...change }], expected, checkout)).toEqual([`reads.1: ${fault}`]);
  });
});
