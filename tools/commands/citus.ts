// `pnpm citus`: a Citus cluster on this machine, from the Citus that is installed here.
import process from 'node:process';

import { runCommand } from '@meridian/settings/command-line';
import { citusHelp, describeFailure, readCitusOptions, runCitus, stopCitus } from '@meridian/local-stack';

await runCommand({
  name: 'pnpm citus',
  help: citusHelp,
  read: (args) => readCitusOptions(args, process.env),
  run: (options) => (options.action === 'start' ? runCitus(options) : stopCitus(options)),
  lineFor: describeFailure,
});
