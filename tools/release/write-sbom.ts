import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import type { PackedPackage } from './pack-all.ts';

/** The members of a CycloneDX document that are read here. */
interface Bom {
  readonly components?: readonly { readonly purl?: string }[];
  readonly dependencies?: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

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
  const inside = new Set(
    inlined.map(({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`),
  );
  await writeFile(file, `${JSON.stringify(inside.size === 0 ? bom : restrict(bom, inside), undefined, 2)}\n`);
}

function restrict(bom: Bom, purls: ReadonlySet<string>): Bom {
  const components = (bom.components ?? []).filter(({ purl = '' }) => purls.has(purl));
  const dependencies = (bom.dependencies ?? [])
    .filter(({ ref }) => purls.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((purl) => purls.has(purl)) }));
  return { ...bom, components, dependencies };
}
