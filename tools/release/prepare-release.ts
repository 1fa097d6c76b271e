import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { CommandError, runGit } from '@meridian/settings/command-line';
import { parse } from 'yaml';

import { packAll } from './pack-all.ts';
import { publications } from './publications.ts';
import { version } from './release-config.ts';
import { writeSbom } from './published-bom.ts';

/**
 * Makes everything of a release but its publication: packages, SBOMs, notes, checksums.
 *
 * @param root of the workspace
 * @param tag of the release; absent for a trial, whose notes may be the section Unreleased
 * @throws {CommandError} where the versions disagree, or the changelog does not have this one
 */
export async function prepareRelease(
  { root, out, tag }: { root: string; out: string; tag: string | undefined },
  onStep: (text: string) => void,
): Promise<void> {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const notes =
    releaseNotes(changelog, version) ??
    (tag === undefined ? releaseNotes(changelog, 'Unreleased') : undefined);
  const faults = versionFaults(root, version, tag);
  if (notes === undefined) {
    faults.push(`CHANGELOG.md has no section for ${version}`);
  }
  if (faults.length > 0) {
    throw new CommandError(faults.join('\n'));
  }
  rmSync(out, { recursive: true, force: true });
  const packages = await packAll(publications, { root, out });
  onStep(`packed ${packages.map(({ name }) => name).join(', ')}`);
  const sboms = join(out, 'sbom');
  mkdirSync(sboms);
  for (const packed of packages) {
    const name = packed.name.replace('@', '').replace('/', '-');
    await writeSbom(packed, root, join(sboms, `${name}-${version}.cdx.json`));
    onStep(`listed what ${packed.name} is made of`);
  }
  const sections = [notes, commitsSinceRelease(root, tag)].filter((section) => section !== undefined);
  writeFileSync(join(out, 'notes.md'), `${sections.join('\n\n')}\n`);
  writeFileSync(join(out, 'checksums.txt'), checksumsOf(out));
  onStep('wrote notes.md and checksums.txt');
}

/** As sha256sum writes and checks them. */
function checksumsOf(folder: string): string {
  return globSync(['*.tgz', 'sbom/*.json'], { cwd: folder })
    .toSorted()
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, file)))
          .digest('hex')}  ${file}\n`,
    )
    .join('');
}

/** The members of a package.json or a Chart.yaml that hold the version of the release. */
interface Versioned {
  readonly version?: string;
  readonly appVersion?: string;
}

/**
 * One sentence for each file with another version than the root's package.json.
 *
 * @param root of the workspace
 * @param tag of the release, such as `v1.2.0`; absent where there is none yet
 */
export function versionFaults(root: string, version: string, tag?: string): string[] {
  const files = globSync(['{apps,packages/*}/*/package.json', 'deploy/helm/*/Chart.yaml'], {
    cwd: root,
  }).toSorted();
  const faults = files.flatMap((file) => {
    // JSON is YAML.
    const { version: own, appVersion }: Versioned = parse(readFileSync(join(root, file), 'utf8'));
    const others = [own, appVersion].filter((found) => found !== undefined && found !== version);
    return others.map((found) => `${file} has the version ${found}, and package.json ${version}`);
  });
  const isOtherTag = tag !== undefined && tag !== `v${version}`;
  return isOtherTag ? [`the tag is ${tag}, and the version ${version}`, ...faults] : faults;
}

/**
 * The section of a changelog (Keep a Changelog) about a version, without its heading.
 *
 * @returns undefined where there is none
 */
export function releaseNotes(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /mu).slice(1);
  const section = sections.find((text) => text.startsWith(`[${version}]`));
  return section?.slice(section.indexOf('\n')).trim();
}

/**
 * A section about each commit since the last release, by its area, for the notes of a release: the subject of a commit
 * is
 * `area: what it does`.
 *
 * @param root of a Git repository, with its tags
 * @param tag of this release, which may not exist yet
 * @returns undefined where no release is older
 */
export function commitsSinceRelease(root: string, tag: string | undefined): string | undefined {
  const git = (...args: readonly string[]): string => runGit(args, root);
  const previous = git('tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-version:refname')
    .split('\n')
    .find((name) => name !== '' && name !== tag);
  if (previous === undefined) {
    return undefined;
  }
  const subjects = git('log', '--no-merges', '--reverse', '--format=%s', `${previous}..HEAD`)
    .trim()
    .split('\n');
  const areas = Map.groupBy(subjects, (subject) => /^([\w-]+): /u.exec(subject)?.[1] ?? 'other');
  const lists = [...areas]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([area, ofArea]) => listOf(area, ofArea));
  return [`### Commits since ${previous}\n`, ...lists].join('\n');
}

function listOf(area: string, subjects: readonly string[]): string {
  const items = subjects.map((subject) => `  - ${subject.replace(`${area}: `, '')}`);
  return [`- **${area}**`, ...items].join('\n');
}
