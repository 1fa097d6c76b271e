import { isAbsolute } from 'node:path/posix';

import type { Supergraph } from '@meridian/executor';

import type { Rejection } from '../plans/figures.ts';
import type { FilePlace } from '../read/read-manifests.ts';
import { filesAt } from '../read/read-manifests.ts';
import type { Version } from '../read/repository.ts';

/** The limits of a router.yaml on the operations of clients. The gateway provides them. */
export interface GatewayLimits {
  /** The value of each limit, by its key in router.yaml; undefined where there is none. */
  readonly values: ReadonlyMap<string, number | undefined>;
  /** The length of a list whose length nothing says, which the cost of operations depends on. */
  readonly assumedListSize: number;
  /** The place of a key; the first line of router.yaml for one that is not there. */
  readonly placeOf: (key: string) => FilePlace;
  /** True when only the operations of manifests run. */
  readonly isSafelistOn: boolean;
  /** The files of the manifests, as the configuration names them; none where persisted queries are off. */
  readonly manifests: readonly string[];
  /** The reasons why the gateway rejects an operation; none for one that runs. */
  readonly rejectionsOver: (supergraph: Supergraph) => (text: string) => readonly Rejection[];
}

/** The file of a graph of `meridian.graphs`, which is merged over router.yaml. */
export interface GraphConfigFile {
  readonly name: string;
  readonly text: string;
}

/**
 * @param routerConfig the text of router.yaml; undefined where there is none
 * @param ofGraph absent for a graph without a file of its own
 */
export type ReadLimits = (routerConfig: string | undefined, ofGraph?: GraphConfigFile) => GatewayLimits;

export const routerFile = 'router.yaml';

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
