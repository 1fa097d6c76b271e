import { isAbsolute } from 'node:path/posix';

import { filesAt } from '../read/read-manifests.ts';
import type { Version } from '../read/repository.ts';
import type { GraphConfigFile, ReadLimits } from './gateway-limits.ts';
import { routerFile } from './gateway-limits.ts';

/** The manifests of a graph that its own file names, and router.yaml does not. */
export interface OwnManifests {
  /** The paths that name files of the version. */
  readonly paths: readonly string[];
  readonly files: ReadonlySet<string>;
  /** The paths that name none, such as URLs: their operations are not known. */
  readonly unread: readonly string[];
  /** True where they are all manifests of the graph, and each path names files. */
  readonly areAll: boolean;
}

export const noManifests: OwnManifests = { paths: [], files: new Set(), unread: [], areAll: false };

/** @throws {CommandError} for a file with an invalid value */
export function ownManifests(
  version: Version,
  ofGraph: GraphConfigFile | undefined,
  readLimits: ReadLimits,
): OwnManifests {
  if (ofGraph === undefined) {
    return noManifests;
  }
  const routerConfig = version.read(routerFile);
  const common = readLimits(routerConfig).manifests;
  const all = readLimits(routerConfig, ofGraph).manifests;
  const own = all.filter((path) => !common.includes(path));
  const unread = own.filter((path) => manifestFilesOf(version, [path]).size === 0);
  return {
    paths: own.filter((path) => !unread.includes(path)),
    files: manifestFilesOf(version, own),
    unread,
    areAll: own.length > 0 && own.length === all.length && unread.length === 0,
  };
}

/** The files of a version that paths of a gateway's configuration name. An absolute path is outside of the repository. */
export function manifestFilesOf(version: Version, paths: readonly string[]): ReadonlySet<string> {
  return new Set(paths.flatMap((path) => (isAbsolute(path) ? [] : [...filesAt(version, path).keys()])));
}
