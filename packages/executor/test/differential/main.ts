// `pnpm differential --cases 200000 --seed any`: the generated comparison for as long as it takes. CI runs 20 000 cases.
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { parseArgs } from 'node:util';

import { runDifferential } from './run-differential.ts';

const { values } = parseArgs({
  options: { cases: { type: 'string', default: '20000' }, seed: { type: 'string', default: randomUUID() } },
});
const cases = Number(values.cases);
if (!Number.isSafeInteger(cases) || cases < 1) {
  process.stderr.write(`--cases takes a number of cases, not ${values.cases}\n`);
  process.exit(1);
}

process.stdout.write(`seed ${values.seed}\n`);
const report = await runDifferential({ seed: values.seed, cases });
for (const difference of report.differences) {
  process.stdout.write(`\n${difference}\n`);
}
const known = [...report.knownFaults].map(([name, count]) => `${count} × ${name}`);
process.stdout.write(
  [
    `\n${report.cases} cases over ${report.federations} federations, ${report.askedStock} of them with stock`,
    `known faults: ${known.join(', ') || 'none met'}`,
    `differential: ${report.cases - report.differences.length} passed, ${report.differences.length} failed`,
    '',
  ].join('\n'),
);
process.exitCode = report.differences.length > 0 ? 1 : 0;
