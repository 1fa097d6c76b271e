import { posix } from 'node:path';

import type { GraphConfigFile, ReadLimits } from './gateway-limits.ts';

/**
 * The files of the manifests that a graph's own file names, and router.yaml does not.
 *
 * @throws {CommandError} for a file with an invalid value
 */
export function ownManifests(
  routerConfig: string | undefined,
  ofGraph: GraphConfigFile | undefined,
  readLimits: ReadLimits,
): readonly string[] {
  if (ofGraph === undefined) {
    return [];
  }
  const common = readLimits(routerConfig).manifests;
  return readLimits(routerConfig, ofGraph)
    .manifests.filter((path) => !common.includes(path))
    .map((path) => posix.normalize(path));
}
