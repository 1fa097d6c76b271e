import type { ListedOperation } from '@meridian/manifest';
import { appNames, parseManifest } from '@meridian/manifest';

import type { Version } from './repository.ts';
import type { ManifestRule } from '../rules/rules.ts';

/** An operation of a manifest, and the client whose manifest it is. */
export interface ClientOperation extends ListedOperation {
  readonly client: string;
  /** The versions of the client still in the field; empty where any may be. */
  readonly versions: readonly string[];
}

/**
 * Reads the manifests of a version. One that is not there lists nothing: it is new, or gone.
 *
 * @throws {ManifestError}
 */
export function readManifests(
  version: Version,
  manifests: readonly ManifestRule[],
): readonly ClientOperation[] {
  return manifests.flatMap((rule) => {
    const files = filesAt(version, rule.path);
    const names = appNames([...files.keys()]);
    return [...files].flatMap(([file, text]) =>
      parseManifest(file, text).map(({ id, name, text: document, clientName, app }) => ({
        id,
        name,
        text: document,
        clientName,
        client: clientName ?? app?.name ?? rule.client ?? names.get(file) ?? file,
        versions: app?.versions ?? [],
      })),
    );
  });
}

/** The texts of the files at a path: a file, the `*.json` files of a folder, or the matches of a glob. */
function filesAt({ read, find }: Version, path: string): ReadonlyMap<string, string> {
  const isGlob = /[*?[{]/u.test(path);
  const folder = path.replace(/\/$/u, '');
  const inFolder = isGlob ? [] : find(`${folder}/*.json`);
  const files = isGlob ? find(path) : inFolder.length > 0 ? inFolder : [path];
  return new Map(
    files.flatMap((file) => {
      const text = read(file);
      return text === undefined ? [] : [[file, text] as const];
    }),
  );
}
