import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';

import { releaseConfig } from './release-config.ts';
import type { InlinedPackage } from './third-party.ts';
import type { PackedPackage } from './pack-all.ts';

/** The members of a CycloneDX document that are read here. */
export interface Bom {
  readonly metadata: { readonly component: BomComponent };
  readonly components: readonly BomComponent[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

interface BomComponent {
  readonly name: string;
  /** The scope of its name. */
  readonly group?: string;
  readonly purl: string;
  readonly 'bom-ref': string;
}

/**
 * Makes the SBOM of a published package from the workspace's. Published packages have their names on npm. The others of
 * the workspace are left out, since their code is inside the package; a package with packages from npm inside has only
 * these. What a package depends on through one that is left out, it depends on itself.
 */
export function publishedBom(
  { metadata, components, dependencies, ...rest }: Bom,
  inlined: readonly Pick<InlinedPackage, 'name' | 'version'>[],
): Bom {
  const inside = new Set(inlined.map(({ name, version }) => purlOf(name, version)));
  const root = metadata.component['bom-ref'];
  const isKept = (ref: string): boolean =>
    ref === root || (inside.size === 0 ? isPublic(ref) : inside.has(ref));
  const direct = new Map(dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
  return {
    ...rest,
    metadata: { ...metadata, component: renameComponent(metadata.component) },
    components: components.filter(({ purl }) => isKept(purl)).map(renameComponent),
    dependencies: [...direct.keys()].filter(isKept).map((ref) => ({
      ref: renamePurl(ref),
      dependsOn: reachedFrom(ref, direct, isKept).map(renamePurl),
    })),
  };
}

/** The nearest kept packages that a package depends on, through any number of others. */
function reachedFrom(
  ref: string,
  direct: ReadonlyMap<string, readonly string[]>,
  isKept: (ref: string) => boolean,
): readonly string[] {
  const reached = new Set<string>();
  const visit = (one: string): void => {
    for (const next of direct.get(one) ?? []) {
      if (!reached.has(next)) {
        reached.add(next);
        if (!isKept(next)) {
          visit(next);
        }
      }
    }
  };
  visit(ref);
  return [...reached].filter((one) => isKept(one) && one !== ref);
}

const workspacePurl = /^pkg:npm\/%40meridian\/([^@]+)@/u;

/** False for a package of the workspace that is not published. */
function isPublic(ref: string): boolean {
  const [, name] = workspacePurl.exec(ref) ?? [];
  return name === undefined || releaseConfig.names[`@meridian/${name}`] !== undefined;
}

function renameComponent(component: BomComponent): BomComponent {
  const published = releaseConfig.names[`${component.group}/${component.name}`];
  if (published === undefined) {
    return component;
  }
  const { group: _, ...others } = component;
  const [name = '', group] = published.split('/').toReversed();
  const purl = renamePurl(component.purl);
  return { ...others, ...(group === undefined ? {} : { group }), name, purl, 'bom-ref': purl };
}

function renamePurl(purl: string): string {
  const [start = '', name] = workspacePurl.exec(purl) ?? [];
  const published = releaseConfig.names[`@meridian/${name}`];
  return published === undefined ? purl : purlOf(published, purl.slice(start.length));
}

/** The package URL of a package on npm. */
function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
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
  await writeFile(file, `${JSON.stringify(publishedBom(bom, inlined), undefined, 2)}\n`);
}
