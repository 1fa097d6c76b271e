// `pnpm pack:all`: the npm packages, as tarballs.
import { relative, resolve } from 'node:path';
import process from 'node:process';

import { UsageError, readArgs, runCommand } from '@meridian/settings/command-line';

import { packAll } from '../release/pack-all.ts';
import { publications } from '../release/publications.ts';
import { publishedName } from '../release/published-manifest.ts';

const help = `Usage: pnpm pack:all [flags]

Builds the packages for npm, and packs each into a tarball. The names are in release.json, the version is the root's.

  --out <folder>  where the tarballs go, and what is in them below build/ (.data/release)
  --only <name>   packs one package; may be given again
  --help          print this
`;

const options = {
  out: { type: 'string', default: '.data/release' },
  only: { type: 'string', multiple: true },
} as const;

await runCommand({
  name: 'pnpm pack:all',
  help,
  read(args) {
    const { flags } = readArgs(args, options);
    const known = publications.map(publishedName);
    const unknown = flags.only?.find((name) => !known.includes(name));
    if (unknown !== undefined) {
      throw new UsageError(`--only is ${JSON.stringify(unknown)}; it takes one of ${known.join(', ')}`);
    }
    return { out: resolve(flags.out), only: flags.only ?? known };
  },
  async run({ out, only }) {
    const packages = await packAll(
      publications.filter((publication) => only.includes(publishedName(publication))),
      { root: process.cwd(), out },
    );
    for (const { name, file, packedBytes, unpackedBytes } of packages) {
      console.log(
        `${name.padEnd(34)}${kilobytes(packedBytes)} packed${kilobytes(unpackedBytes)} unpacked  ${relative('', file)}`,
      );
    }
  },
});

function kilobytes(bytes: number): string {
  return `${Math.ceil(bytes / 1000)} kB`.padStart(10);
}
