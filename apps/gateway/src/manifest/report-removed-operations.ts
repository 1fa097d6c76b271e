import { counted } from '@meridian/settings/command-line';
import { queryHash } from '@meridian/manifest';
import type { Logger } from '@meridian/telemetry';

import type { IdentifierRegistry } from '../usage/identifier-registry.ts';
import { describeUse } from '../usage/describe-use.ts';
import type { Manifest, ManifestOperation } from './manifest.ts';

/** The most identifiers in one log line; further ones are counted. */
const shown = 20;

/** The operations whose identifiers are in one manifest and not in the next. */
export function removedOperations(
  before: Manifest | undefined,
  next: Manifest,
): readonly ManifestOperation[] {
  return [...(before?.byKey ?? [])].flatMap(([key, operation]) => (next.byKey.has(key) ? [] : operation));
}

/** Writes to the log which identifiers left the manifest, and who used them last. */
export async function reportRemovedOperations(
  left: readonly ManifestOperation[],
  registry: Pick<IdentifierRegistry, 'lastUses'> | undefined,
  logger: Logger,
): Promise<void> {
  if (left.length === 0) {
    return;
  }
  if (registry === undefined) {
    logger.warn(listed(left), 'identifiers were removed from the manifest; their usage is unknown');
    return;
  }
  const uses = Map.groupBy(
    await registry.lastUses(left.map(({ text }) => queryHash(text))),
    (use) => use.queryHash,
  );
  const used = left.filter(({ text }) => uses.has(queryHash(text)));
  if (used.length > 0) {
    const lastUses = used.slice(0, shown).map(({ id, text }) => {
      const ofText = uses.get(queryHash(text)) ?? [];
      const requests = ofText.reduce((sum, use) => sum + use.requests, 0);
      return `${id}: ${counted(requests, 'request')}, by ${ofText.slice(0, 3).map(describeUse).join(', ')}`;
    });
    logger.warn(
      { ...listed(used), lastUses },
      'identifiers that clients use were removed from the manifest; requests with them are now rejected',
    );
  }
  const unused = left.filter((operation) => !used.includes(operation));
  if (unused.length > 0) {
    logger.info(listed(unused), 'unused identifiers were removed from the manifest');
  }
}

function listed(operations: readonly ManifestOperation[]): object {
  return {
    identifiers: operations.slice(0, shown).map(({ id }) => id),
    operations: operations.slice(0, shown).map(({ name }) => name),
    apps: [...new Set(operations.flatMap(({ apps }) => apps))],
    left: operations.length,
  };
}
