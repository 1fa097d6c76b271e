// `pnpm start`: all of Meridian on this machine, until Ctrl-C.
import process from 'node:process';

import { runCommand } from '@meridian/settings/command-line';
import { describeFailure, readStartOptions, runUntilStopped, startHelp } from '@meridian/local-stack';

await runCommand({
  name: 'pnpm start',
  help: startHelp,
  read: (args) => readStartOptions(args, process.env),
  run: runUntilStopped,
  lineFor: describeFailure,
});
