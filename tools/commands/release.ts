// `pnpm release --dry-run`: everything of a release but its publication, which is the work of a workflow.
import { resolve } from 'node:path';
import process from 'node:process';

import { UsageError, readArgs, runCommand } from '@meridian/settings/command-line';

import { prepareRelease } from '../release/prepare-release.ts';

const help = `Usage: pnpm release --dry-run [flags]

Checks that all versions agree, packs every package, and writes SBOMs, notes and checksums. Publishes nothing: a tag has
.github/workflows/release.yml do that. docs/releasing.md says how.

  --dry-run        required
  --tag <tag>      the tag of the release, which must be the version's
  --out <folder>   where everything goes; it is emptied first (.data/release)
  --help           print this
`;

const options = {
  'dry-run': { type: 'boolean', default: false },
  tag: { type: 'string' },
  out: { type: 'string', default: '.data/release' },
} as const;

await runCommand({
  name: 'pnpm release',
  help,
  read(args) {
    const { flags } = readArgs(args, options);
    if (!flags['dry-run']) {
      throw new UsageError('--dry-run is missing: a release is published by its tag');
    }
    return { root: process.cwd(), out: resolve(flags.out), tag: flags.tag };
  },
  run: (call) => prepareRelease(call, console.log),
});
