import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { bundleExplorer } from '@meridian/pages/explorer';
import type { StoredPage } from '@meridian/pages/explorer/bundled';

import { bundle } from './bundle.ts';
import type { Publication } from './publications.ts';
import { publishedManifest } from './published-manifest.ts';
import type { InlinedPackage } from './third-party.ts';
import { inlinedPackages, thirdPartyLicences } from './third-party.ts';
import { publications } from './publications.ts';
import { releaseConfig } from './release-config.ts';

/**
 * Builds a published package into a folder, which is emptied first.
 *
 * @param root of the workspace
 * @returns the packages from npm whose code is inside
 */
export async function buildPackage(
  publication: Publication,
  root: string,
  folder: string,
): Promise<readonly InlinedPackage[]> {
  const { folder: source, readme, assets, documents, bin } = publication;
  rmSync(folder, { recursive: true, force: true });
  const dist = join(folder, 'dist');
  const bundled = await bundle(publication, root, dist);
  const isProgram = Object.keys(bin).length > 0;
  const explorerModules = isProgram ? await writeExplorer(join(dist, 'explorer')) : [];
  const inlined = inlinedPackages([...bundled.modules, ...explorerModules]);

  const manifest = publishedManifest(publication, bundled, root);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const publish = (document: string, to: string): void =>
    writeFileSync(join(folder, to), publishedReadme(readFileSync(join(root, document), 'utf8')));
  publish(readme, 'README.md');
  for (const document of documents) {
    mkdirSync(join(folder, 'docs'), { recursive: true });
    publish(join('docs', document), join('docs', document));
  }
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  for (const asset of assets) {
    cpSync(join(root, source, asset), join(folder, asset), { recursive: true });
  }
  if (inlined.length > 0) {
    writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicences(inlined));
  }
  return inlined;
}

/** Writes the page of the explorer; returns the modules that it is made of. */
async function writeExplorer(folder: string): Promise<readonly string[]> {
  const { html, files, modules } = await bundleExplorer();
  const page: StoredPage = {
    html,
    files: Object.fromEntries(Array.from(files, ([name, { mediaType }]) => [name, mediaType])),
  };
  mkdirSync(folder);
  writeFileSync(join(folder, 'page.json'), JSON.stringify(page));
  for (const [name, { body }] of files) {
    writeFileSync(join(folder, name), body);
  }
  return modules;
}

/**
 * A README for npm: packages have their published names, and what concerns only this repository is left out: links to
 * its files, which become their text, and sections with the heading "In this repository".
 */
export function publishedReadme(text: string): string {
  return text
    .replaceAll(/^## In this repository\n.*?(?=^## |$(?![^]))/gmsu, '')
    .replaceAll(/(@meridian\/[a-z-]+)(\/[a-z-]+)?/gu, (name, base: string, subpath = '') => {
      const published = publishedNames.get(base);
      return publishedNames.get(name) ?? (published === undefined ? name : published + String(subpath));
    })
    .replaceAll(/\[([^\]]+)\]\((?!https?:|#)[^)]*\)/gu, '$1');
}

/** Name in the workspace → name on npm. A package that is a subpath of another one has its name. */
const publishedNames: ReadonlyMap<string, string> = new Map([
  ...Object.entries(releaseConfig.names),
  ...publications.flatMap(({ name, exports }) =>
    Object.entries(exports).flatMap(([subpath, source]) => {
      const [, folder, room = ''] =
        /^packages\/[^/]+\/([^/]+)\/src(\/[^/]+)?\/index\.ts$/u.exec(source) ?? [];
      return folder === undefined
        ? []
        : [[`@meridian/${folder}${room}`, `${releaseConfig.names[name]}${subpath.slice(1)}`] as const];
    }),
  ),
]);
