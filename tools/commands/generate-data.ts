// `pnpm generate-data`: fills a tenant of any size, for work on what only shows with many rows. Each app makes its own rows.
import process from 'node:process';

import { runCommand } from '@meridian/settings/command-line';

import { generateData, generateHelp, readGenerateOptions } from '../generate-data/generate-data.ts';

await runCommand({
  name: 'pnpm generate-data',
  help: generateHelp,
  read: (args) => readGenerateOptions(args, process.env),
  run: generateData,
});
