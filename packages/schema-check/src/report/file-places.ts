import type { ChangeWithHits } from '@meridian/schema-changes';

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
  return ({ coordinate, before, hits }) => {
    const [file = '', key = ''] = coordinate.split(' ', 2);
    if (file === routerFile) {
      return { file, line: limits?.lineOf(key) ?? 1 };
    }
    if (file === rulesFile) {
      return { file, line: 1 };
    }
    const identifiers = new Set([...hits.flatMap(({ operation }) => operation.identifiers), before]);
    return (
      listed.find(({ id }) => identifiers.has(id)) ??
      listed.find(({ name }) => coordinate === `operation ${name}`)
    )?.place?.();
  };
}
