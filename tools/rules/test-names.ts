import { parseSync } from 'oxc-parser';

import { jestBlocks } from '../syntax/jest-blocks.ts';

/** The full names of the tests of a file that run, as jest prints them. Of an expression in a name only `${…}` is left. */
export function testNames(source: string): Set<string> {
  const blocks = jestBlocks(parseSync('tests.ts', source, { preserveParens: false }).program);
  return new Set(blocks.filter(({ isTest, runs }) => isTest && runs).map(({ fullName }) => fullName));
}

/** A test's name with every `${expression}` replaced by `${…}`, the form in which names are compared. */
export function withoutExpressions(name: string): string {
  return name.replaceAll(/\$\{[^}]*\}/gu, '${…}');
}
