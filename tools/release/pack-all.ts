import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

import { buildPackage } from './build-package.ts';
import type { Publication } from './publications.ts';
import { publishedName } from './published-manifest.ts';
import type { InlinedPackage } from './third-party.ts';

/** A package as a file for npm. */
export interface PackedPackage {
  readonly publication: Publication;
  readonly name: string;
  /** The tarball, as a path. */
  readonly file: string;
  readonly packedBytes: number;
  readonly unpackedBytes: number;
  readonly inlined: readonly InlinedPackage[];
}

/**
 * Builds packages one after another, each into a folder of its own below `out`, and packs them into tarballs in `out`.
 *
 * @param root of the workspace
 */
export async function packAll(
  publications: readonly Publication[],
  { root, out }: { readonly root: string; readonly out: string },
): Promise<readonly PackedPackage[]> {
  mkdirSync(out, { recursive: true });
  const built: { publication: Publication; folder: string; inlined: readonly InlinedPackage[] }[] = [];
  for (const publication of publications) {
    const folder = join(out, 'build', publishedName(publication));
    built.push({ publication, folder, inlined: await buildPackage(publication, root, folder) });
  }
  const reports = await pack(
    built.map(({ folder }) => folder),
    out,
  );
  const packages = built.map(({ publication, inlined }) => {
    const name = publishedName(publication);
    const report = reports.find((one) => one.name === name);
    if (report === undefined) {
      throw new Error(`npm pack made nothing of ${name}`);
    }
    const { filename, size, unpackedSize } = report;
    return {
      publication,
      name,
      inlined,
      file: join(out, filename),
      packedBytes: size,
      unpackedBytes: unpackedSize,
    };
  });
  await Promise.all(packages.map(checkPackage));
  return packages;
}

/** The part of `npm pack`'s report on a tarball that is read here. */
interface PackReport {
  readonly name: string;
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
}

/** Packs folders, all by one npm: its start is most of the work. */
async function pack(folders: readonly string[], out: string): Promise<readonly PackReport[]> {
  const { stdout } = await promisify(execFile)(
    'npm',
    ['pack', '--json', '--pack-destination', out, ...folders],
    { maxBuffer: 100_000_000 },
  );
  return JSON.parse(stdout);
}

/** Checks that a tarball is what its package.json says: formats, the files of `exports`, the order of conditions. */
async function checkPackage({ name, file }: PackedPackage): Promise<void> {
  const { buffer } = new Uint8Array(readFileSync(file));
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true });
  const faults = messages.map((message) => formatMessage(message, pkg));
  if (faults.length > 0) {
    throw new Error(`publint finds faults in ${name}:\n${faults.join('\n')}`);
  }
}
