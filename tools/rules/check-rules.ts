import { existsSync, readFileSync } from 'node:fs';

import { reportFaults } from '../report-faults.ts';
import { faultsIn } from './faults-in.ts';
import { parseRuleIds, parseRules } from './parse-rules.ts';
import { testNames } from './test-names.ts';

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
