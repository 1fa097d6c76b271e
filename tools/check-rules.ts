// `pnpm rules`: holds docs/rules.md against the checkout. Prints each fault on its line, then one summary line.
import { existsSync, readFileSync } from 'node:fs';
import { faultsIn } from './rules/faults-in.ts';
import { parseRuleIds, parseRules } from './rules/parse-rules.ts';
import type { Rule } from './rules/parse-rules.ts';
import { testNames } from './rules/test-names.ts';

const rules = parseRules(readFileSync('docs/rules.md', 'utf8'));
const expected = parseRuleIds(readFileSync('docs/rule-ids.txt', 'utf8'));

const faults = faultsIn(rules, expected, {
  exists: (path) => existsSync(path),
  testNames: (path) => testNames(readFileSync(path, 'utf8')),
});

for (const fault of faults) {
  console.error(`docs/rules.md: ${fault}`);
}
console.log(
  `rules: ${rules.length} rows, ${countOf('tested')} tested, ${countOf('not yet')} not yet, ${countOf('left open')} left open by the spec`,
);
process.exitCode = faults.length === 0 ? 0 : 1;

function countOf(state: Rule['state']): number {
  return rules.filter((rule) => rule.state === state).length;
}
