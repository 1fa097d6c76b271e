// `pnpm differential --cases 200000 --seed any`: the executor beside a reference, over generated operations. CI runs 20 000 cases.
import { randomUUID } from 'node:crypto';

import { flagValue, positiveInteger, readArgs, runCommand } from '@meridian/settings/command-line';

import { reportDifferences } from '../../packages/graph/executor/test/differential/report-differences.ts';

const help = `Usage: pnpm differential [flags]

Runs generated operations over generated federations by our executor, its plain
reference and stock @apollo/gateway, and checks the responses against the data.

  --cases <n>    how many operations (20000)
  --seed <text>  generates the same cases again (a new one, which is printed)
  --defer        operations with @defer: their parts, merged by Apollo Client, are the response
  --help         print this

Exit code: 0 when all responses are right, 1 when not, 2 for a wrong call.`;

await runCommand({
  name: 'pnpm differential',
  help,
  read(args) {
    const { flags } = readArgs(args, {
      cases: { type: 'string', default: '20000' },
      seed: { type: 'string', default: randomUUID() },
      defer: { type: 'boolean', default: false },
    });
    const cases = flagValue('--cases', flags.cases, positiveInteger);
    return { seed: flags.seed, cases, isDeferring: flags.defer };
  },
  run: reportDifferences,
});
