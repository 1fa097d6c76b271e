// `pnpm dev --only <subgraph>`: all of Meridian, with one subgraph, or some, as their files are at each moment.
import process from 'node:process';

import { runCommand } from '@meridian/command-line';
import { describeFailure, devHelp, readDevOptions, runUntilStopped } from '@meridian/local-stack';

await runCommand({
  name: 'pnpm dev',
  help: devHelp,
  read: (args) => readDevOptions(args, process.env),
  run: runUntilStopped,
  lineFor: describeFailure,
});
