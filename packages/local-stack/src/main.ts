// `pnpm start`: all of Meridian on this machine, until Ctrl-C.
import process from 'node:process';

import { runCommand } from '@meridian/command-line';

import { describeFailure } from './describe-failure.ts';
import { runUntilStopped } from './run-until-stopped.ts';
import { readStartOptions, startHelp } from './start-options.ts';

await runCommand({
  name: 'pnpm start',
  help: startHelp,
  read: (args) => readStartOptions(args, process.env),
  run: runUntilStopped,
  lineFor: describeFailure,
});
