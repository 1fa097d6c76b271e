import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';

import { listenForStopSignals } from '@meridian/local-stack';
import { watchLaunchers } from '@meridian/processes';

import { judge } from './report/verdict.ts';
import { runSoak } from './run-soak.ts';
import type { SoakOptions } from './soak-options.ts';

/** Runs a soak test. Prints the verdict. Writes both into the data directory. */
export async function soakAndReport(options: SoakOptions): Promise<void> {
  // The reader may close the pipe; the report is in a file as well.
  process.stdout.on('error', () => undefined);
  const stop = new AbortController();
  listenForStopSignals({ onFirst: () => stop.abort(), onLater: () => process.exit(1) });
  watchLaunchers(() => stop.abort());
  const said: string[] = [];
  const say = (line: string): void => {
    said.push(line);
    process.stdout.write(`${line}\n`);
  };
  const outcome = await runSoak(options, { say, signal: stop.signal });
  const findings = judge(outcome);
  const isGood = findings.every((finding) => finding.isGood);
  for (const finding of findings) {
    say(`${finding.isGood ? 'ok    ' : 'FAILED'}  ${finding.text}`);
  }
  say(isGood ? 'passed' : 'FAILED');
  await writeFile(join(options.dataRoot, 'soak.txt'), `${said.join('\n')}\n`);
  process.exitCode = isGood ? 0 : 1;
}
