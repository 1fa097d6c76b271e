// `pnpm dev --only <subgraph>`: all of Meridian, and a subgraph that restarts when its files change.
import process from 'node:process';

import { runCommand } from '@meridian/settings/command-line';
import { describeFailure, devHelp, readDevOptions, runUntilStopped } from '@meridian/local-stack';

await runCommand({
  name: 'pnpm dev',
  help: devHelp,
  read: (args) => readDevOptions(args, process.env),
  run: runUntilStopped,
  lineFor: describeFailure,
});
