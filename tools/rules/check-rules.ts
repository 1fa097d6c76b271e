import { existsSync, readFileSync } from 'node:fs';

import { parseSync } from 'oxc-parser';

import { reportFaults } from '../report-faults.ts';
import { parseRuleIds, parseRules } from './parse-rules.ts';
import type { NamedTest, Rule } from './parse-rules.ts';
import { jestBlocks } from '../syntax/jest-blocks.ts';

/** Checks docs/rules.md against the checkout. */
export function checkRules(): void {
  const rules = parseRules(readFileSync('docs/rules.md', 'utf8'));
  const expected = parseRuleIds(readFileSync('docs/rule-ids.txt', 'utf8'));
  const faults = faultsIn(rules, expected, {
    exists: (path) => existsSync(path),
    testNames: (path) => testNames(readFileSync(path, 'utf8')),
  });
  const countOf = (wanted: string): number => rules.filter(({ state }) => state === wanted).length;
  reportFaults(
    faults.map((fault) => `docs/rules.md: ${fault}`),
    `rules: ${rules.length} rows, ${countOf('tested')} tested, ${countOf('not yet')} not yet, ${countOf('left open')} left open by the spec`,
  );
}

/** Questions of the check about the checkout. Paths are relative to its root. */
interface Checkout {
  exists(path: string): boolean;
  testNames(path: string): ReadonlySet<string>;
}

/**
 * One sentence for each fault.
 *
 * `expected` is `section › id` of every row there must be. It comes from a file of its own, so that a row can't vanish
 * from the document unseen.
 */
export function faultsIn(rules: readonly Rule[], expected: readonly string[], checkout: Checkout): string[] {
  return [...idFaults(rules, expected), ...rules.flatMap((rule) => ruleFaults(rule, checkout))];
}

function idFaults(rules: readonly Rule[], expected: readonly string[]): string[] {
  const found = rules.map((rule) => `${rule.section} › ${rule.id}`);
  const ids = rules.map((rule) => rule.id);
  return [
    ...expected.filter((place) => !found.includes(place)).map((place) => `${place}: the row is missing`),
    ...found
      .filter((place) => !expected.includes(place))
      .map((place) => `${place}: not in docs/rule-ids.txt`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${id}: the id is in two rows`),
  ];
}

function ruleFaults(rule: Rule, checkout: Checkout): string[] {
  const missingFiles = rule.files
    .filter((file) => !checkout.exists(file))
    .map((file) => `${rule.id}: there is no file ${file}`);
  return [
    ...missingFiles,
    ...stateFaults(rule),
    ...rule.tests.flatMap((test) => testFaults(rule, test, checkout)),
  ];
}

function stateFaults(rule: Rule): string[] {
  if (rule.state === 'tested' && rule.files.length === 0) {
    return [`${rule.id}: it has a test, but does not say where it is kept`];
  }
  if (rule.state === 'left open' && !rule.text.includes('not shown')) {
    return [`${rule.id}: only what the specification calls "not shown" may be left open`];
  }
  if (rule.state === 'unclear') {
    return [`${rule.id}: the last cell is neither "[file](path) › test name" nor "not yet"`];
  }
  return [];
}

function testFaults(rule: Rule, { file, name }: NamedTest, checkout: Checkout): string[] {
  if (!/\/test\/.*\.test\.ts$/u.test(file)) {
    return [`${rule.id}: jest does not run ${file}`];
  }
  if (!checkout.exists(file)) {
    return [`${rule.id}: there is no test file ${file}`];
  }
  return checkout.testNames(file).has(withoutExpressions(name))
    ? []
    : [`${rule.id}: ${file} has no test "${name}" that runs`];
}

/** The full names of the tests of a file that run, as jest prints them. Of an expression in a name only `${…}` is left. */
export function testNames(source: string): Set<string> {
  const blocks = jestBlocks(parseSync('tests.ts', source, { preserveParens: false }).program);
  return new Set(blocks.filter(({ isTest, runs }) => isTest && runs).map(({ fullName }) => fullName));
}

/** A test's name with every `${expression}` replaced by `${…}`, the form in which names are compared. */
export function withoutExpressions(name: string): string {
  return name.replaceAll(/\$\{[^}]*\}/gu, '${…}');
}
