import type { ChangeWithHits } from '../changes/impact/find-hits.ts';

import type { GatewayLimits } from '../limits/gateway-limits.ts';
import { routerFile } from '../limits/gateway-limits.ts';
import type { ClientOperation, FilePlace } from '../read/read-manifests.ts';
import { rulesFile } from '../rules/rules.ts';

export interface FilePlaceSources {
  /** Of the changed manifests, then of the base's. */
  readonly listed: readonly ClientOperation[];
  readonly limits: Pick<GatewayLimits, 'lineOf'> | undefined;
}

/**
 * Finds the place of a change that no schema has: the operation in its manifest, or the key of a configuration. Code
 * scanning takes no result without a place.
 */
export function createFilePlaces({
  listed,
  limits,
}: FilePlaceSources): (change: ChangeWithHits) => FilePlace | undefined {
  const byId = new Map(listed.toReversed().map((operation) => [operation.id, operation]));
  const byName = new Map(listed.toReversed().map((operation) => [`operation ${operation.name}`, operation]));
  return ({ coordinate, before, hits }) => {
    const [file = '', key = ''] = coordinate.split(' ', 2);
    if (file === routerFile) {
      return { file, line: limits?.lineOf(key) ?? 1 };
    }
    if (file === rulesFile) {
      return { file, line: 1 };
    }
    const identifiers = [...hits.flatMap(({ operation }) => operation.identifiers), before ?? ''];
    const identified = identifiers.map((id) => byId.get(id)).find((operation) => operation !== undefined);
    return (identified ?? byName.get(coordinate))?.place?.();
  };
}
