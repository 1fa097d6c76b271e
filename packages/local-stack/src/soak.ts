// `pnpm soak`: the whole stack under load for a while, with subgraphs that die and clients that hang up.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { describeFailure } from './describe-failure.ts';
import { listenForStopRequests } from './run/stop-requests.ts';
import { soakChart } from './soak/chart.ts';
import { runSoak } from './soak/run-soak.ts';
import { readSoakOptions, soakHelp } from './soak/soak-options.ts';
import { judge } from './soak/verdict.ts';

try {
  const options = readSoakOptions(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(soakHelp);
  } else {
    const stop = new AbortController();
    listenForStopRequests({ onFirst: () => stop.abort(), onLater: () => process.exit(1) });
    const outcome = await runSoak(options, { say, signal: stop.signal });
    const chartPath = join(options.dataRoot, 'soak.svg');
    await writeFile(chartPath, soakChart(outcome.samples));
    say(`What the gateway held is drawn in ${chartPath}`);
    const findings = judge(outcome);
    for (const { isGood, text } of findings) {
      say(`${isGood ? 'ok    ' : 'FAILED'}  ${text}`);
    }
    process.exitCode = findings.every(({ isGood }) => isGood) ? 0 : 1;
  }
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exitCode = 1;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
