import { globSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The manifest files that paths stand for, each once, in the order of the paths: a file for itself, a folder for the `*.json` files
 * in it, a glob for what it matches, in the order of their names. A path that stands for nothing is among them as it is, so that it
 * is not missed: to read it fails.
 */
export function findManifests(paths: readonly string[]): readonly string[] {
  return [...new Set(paths.flatMap(filesAt))];
}

function filesAt(path: string): readonly string[] {
  const found = isFolder(path) ? filesIn(path) : filesLike(path);
  return found.length === 0 ? [path] : found.toSorted();
}

/** Hidden files are not meant: Kubernetes keeps its own in a mounted folder. */
function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json') && !name.startsWith('.'))
    .map((name) => join(folder, name))
    .filter((path) => !isFolder(path));
}

/** A file may have a name that reads like a glob. */
function filesLike(path: string): string[] {
  const isGlob = /[*?[{]/.test(path) && statSync(path, { throwIfNoEntry: false }) === undefined;
  return isGlob ? globSync(path).filter((file) => !isFolder(file)) : [path];
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
