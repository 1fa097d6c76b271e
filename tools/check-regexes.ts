// `pnpm regexes:check`: a regular expression in an app or a package that can take more than linear time fails.
import { globSync, readFileSync } from 'node:fs';
import process from 'node:process';

import { readArgs, runCommand } from '@meridian/command-line';

import { keepVerdicts } from './regexes/kept-verdicts.ts';
import { analyse, regexFaults } from './regexes/regex-faults.ts';

const help = `Usage: pnpm regexes:check

Analyses every regular expression of apps and packages, and fails where one can be
made to take more than linear time by the text that it is tried on. Verdicts are
kept in node_modules/.cache: an expression is analysed once on a machine.

  --help  print this

Exit code: 0 when none can, 1 when one can, 2 for a wrong call.`;

const madeOfTexts = {
  'packages/router-config/src/value-types/pattern.ts':
    'the patterns of router.yaml are the operator’s own; docs/router-yaml.md says that they can backtrack',
  'packages/soak/src/events/probe.ts': 'made of a number, for answers that the soak test asked for',
  'packages/soak/src/watch/gateway-watch.ts': 'made of the names of our metrics, for our metrics',
  'packages/testing/src/openapi/response-checker.ts': 'made of the paths of our routes, for tests',
};

await runCommand({
  name: 'pnpm regexes:check',
  help,
  read: (words) => readArgs(words, {}),
  run: checkRegexes,
});

function checkRegexes(): void {
  const paths = globSync('{apps,packages}/*/src/**/*.{ts,tsx}').toSorted();
  const sources = new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]));
  const kept = keepVerdicts('node_modules/.cache/meridian/regexes.json', analyse);
  const faults = regexFaults(sources, madeOfTexts, kept.findFault);
  kept.save();
  for (const fault of faults) {
    console.error(fault);
  }
  console.log(`regexes: ${paths.length} files, ${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
