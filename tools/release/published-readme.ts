import { publications } from './publications.ts';
import { releaseConfig } from './release-config.ts';

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
