// `pnpm soak`: the whole stack under load for a while, and what happens to it meanwhile; with a report and a verdict.
import { runCommand } from '@meridian/settings/command-line';
import { describeFailure } from '@meridian/local-stack';
import { readSoakOptions, soakAndReport, soakHelp } from '@meridian/benchmarks/soak';

await runCommand({
  name: 'pnpm soak',
  help: soakHelp,
  read: readSoakOptions,
  run: soakAndReport,
  lineFor: describeFailure,
});
