import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
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
  { root, out, onPacked }: { root: string; out: string; onPacked?: (packed: PackedPackage) => void },
): Promise<readonly PackedPackage[]> {
  mkdirSync(out, { recursive: true });
  const packages: PackedPackage[] = [];
  for (const publication of publications) {
    const name = publishedName(publication);
    const folder = join(out, 'build', name);
    const inlined = await buildPackage(publication, root, folder);
    await checkPackage(folder);
    const packed = { publication, name, inlined, ...(await pack(folder, out)) };
    packages.push(packed);
    onPacked?.(packed);
  }
  return packages;
}

/** Checks that a package is what its package.json says: formats, the files of `exports`, the order of conditions. */
async function checkPackage(folder: string): Promise<void> {
  const { messages, pkg } = await publint({ pkgDir: folder, pack: 'npm', strict: true });
  const faults = messages.map((message) => formatMessage(message, pkg));
  if (faults.length > 0) {
    throw new Error(`publint finds faults in ${folder}:\n${faults.join('\n')}`);
  }
}

async function pack(
  folder: string,
  out: string,
): Promise<Pick<PackedPackage, 'file' | 'packedBytes' | 'unpackedBytes'>> {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--json', '--pack-destination', out], {
    cwd: folder,
  });
  const [report]: { filename: string; size: number; unpackedSize: number }[] = JSON.parse(stdout);
  if (report === undefined) {
    throw new Error(`npm pack made nothing of ${folder}`);
  }
  return { file: join(out, report.filename), packedBytes: report.size, unpackedBytes: report.unpackedSize };
}
