// `pnpm rules`: holds docs/rules.md against the checkout. Prints each fault on its line, then one summary line.
import { existsSync, readFileSync } from 'node:fs';
import process from 'node:process';

import { readArgs, runCommand } from '@meridian/command-line';

import { faultsIn } from './rules/faults-in.ts';
import { parseRuleIds, parseRules } from './rules/parse-rules.ts';
import { testNames } from './rules/test-names.ts';

const help = `Usage: pnpm rules

Holds docs/rules.md against the checkout: every rule of the specification has its row,
and every file and test that a row names is there.

  --help  print this

Exit code: 0 when there is no fault, 1 when there is one, 2 for a wrong call.`;

await runCommand({ name: 'pnpm rules', help, read: (words) => readArgs(words, {}), run: checkRules });

function checkRules(): void {
  const rules = parseRules(readFileSync('docs/rules.md', 'utf8'));
  const expected = parseRuleIds(readFileSync('docs/rule-ids.txt', 'utf8'));
  const faults = faultsIn(rules, expected, {
    exists: (path) => existsSync(path),
    testNames: (path) => testNames(readFileSync(path, 'utf8')),
  });
  for (const fault of faults) {
    console.error(`docs/rules.md: ${fault}`);
  }
  const countOf = (wanted: string): number => rules.filter(({ state }) => state === wanted).length;
  console.log(
    `rules: ${rules.length} rows, ${countOf('tested')} tested, ${countOf('not yet')} not yet, ${countOf('left open')} left open by the spec`,
  );
  process.exitCode = faults.length === 0 ? 0 : 1;
}
