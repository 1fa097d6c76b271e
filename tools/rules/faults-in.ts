// Finds faults of docs/rules.md: rows against the list of ids, and the names in rows against the checkout.
import type { NamedTest, Rule } from './parse-rules.ts';
import { withoutExpressions } from './test-names.ts';

/** Questions of the check about the checkout. Paths are relative to its root. */
export interface Checkout {
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
