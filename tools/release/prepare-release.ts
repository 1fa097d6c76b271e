import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { CommandError } from '@meridian/settings/command-line';

import { commitsSinceRelease, releaseNotes } from './release-notes.ts';
import { packAll } from './pack-all.ts';
import { publications } from './publications.ts';
import { version } from './release-config.ts';
import { versionFaults } from './version-faults.ts';
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
