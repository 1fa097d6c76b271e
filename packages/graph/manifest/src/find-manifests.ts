import { globSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * The manifest files at the paths, each once, in the order of the paths: a file, the `*.json` files of a
 * folder, or the matches of a glob, in the order of their names. A path without a match, or one that cannot be
 * examined now, is included unchanged, so that reading it fails and it is not overlooked.
 */
export function findManifests(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap(filesAt))];
}

function filesAt(path: string): readonly string[] {
  try {
    const found = isFolder(path) ? filesIn(path) : filesLike(path);
    return found.length === 0 ? [path] : found.toSorted();
  } catch {
    return [path];
  }
}

/** Without hidden files: Kubernetes keeps its own in a mounted folder. */
function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .map((name) => join(folder, name))
    .filter((path) => !isFolder(path));
}

/** The name of a file may look like a glob. */
function filesLike(path: string): string[] {
  const isGlob = /[*?[{]/.test(path) && statSync(path, { throwIfNoEntry: false }) === undefined;
  return isGlob ? globSync(path).filter((file) => !isFolder(file)) : [path];
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/**
 * The names of apps by the files of their manifests, for files that do not say: `manifests/storefront.json` is of
 * storefront. Where several files have one name, their folders tell the apps apart:
 * `clients/ios/persisted-documents.json` is of ios.
 */
export function appNames(files: readonly string[]): ReadonlyMap<string, string> {
  const count = new Map<string, number>();
  for (const file of files) {
    count.set(basename(file), (count.get(basename(file)) ?? 0) + 1);
  }
  return new Map(
    files.map((file) => {
      const isShared = (count.get(basename(file)) ?? 0) > 1;
      return [file, isShared ? basename(dirname(file)) : basename(file, '.json')];
    }),
  );
}
