import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import type { PackedPackage } from './pack-all.ts';
import { publishedBom } from './published-bom.ts';
import type { Bom } from './published-bom.ts';

/**
 * Writes what a package is made of, as CycloneDX: what pnpm says of it in the workspace; for a package that has others
 * inside, these alone.
 *
 * @param root of the workspace
 */
export async function writeSbom(
  { publication, inlined }: PackedPackage,
  root: string,
  file: string,
): Promise<void> {
  const { stdout } = await promisify(execFile)(
    'npx',
    [
      '--yes',
      'pnpm@12.21.0',
      '--silent',
      'sbom',
      '--prod',
      `--filter=${publication.name}`,
      '--sbom-format=cyclonedx',
      '--sbom-spec-version=1.6',
    ],
    { cwd: root, maxBuffer: 100_000_000 },
  );
  const bom: Bom = JSON.parse(stdout);
  await writeFile(file, `${JSON.stringify(publishedBom(bom, inlined), undefined, 2)}\n`);
}
