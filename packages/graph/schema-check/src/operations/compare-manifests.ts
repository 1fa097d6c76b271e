import { operationKey, queryHash } from '@meridian/manifest';
import type { ChangeWithHits } from '../changes/impact/find-hits.ts';
import { changeOf } from '../changes/change.ts';

import type { ClientOperation } from '../read/read-manifests.ts';
import type { KnownOperations } from './known-operations.ts';

/** The identifiers that left the manifests, or have another text: clients in the field go on sending them. */
export function compareManifests(
  before: readonly ClientOperation[],
  after: readonly ClientOperation[],
  operations: KnownOperations,
): readonly ChangeWithHits[] {
  const texts = new Map(after.map(({ id, clientName, text }) => [operationKey(id, clientName), text]));
  return before.flatMap(({ id, clientName, name, text }) => {
    const other = texts.get(operationKey(id, clientName));
    if (other === text) {
      return [];
    }
    const key = queryHash(text);
    const operation = operations.get(key);
    const change =
      other === undefined
        ? changeOf('IDENTIFIER_REMOVED', `operation ${name}`, { before: id })
        : changeOf('IDENTIFIER_TEXT_CHANGED', `operation ${name}`, { before: key, after: queryHash(other) });
    return [
      {
        ...change,
        hits: operation === undefined ? [] : [{ operation, how: 'invalid' as const, isCertain: true }],
      },
    ];
  });
}
