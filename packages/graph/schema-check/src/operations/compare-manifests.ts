import { operationKey, queryHash } from '@meridian/manifest';
import type { ChangeWithHits } from '../changes/impact/find-hits.ts';
import type { ChangeKind } from '../changes/kinds.ts';
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
  return before.flatMap((operation) => {
    const text = texts.get(operationKey(operation.id, operation.clientName));
    if (text === operation.text) {
      return [];
    }
    return text === undefined
      ? [identifierChange('IDENTIFIER_REMOVED', operation, undefined, operations)]
      : [identifierChange('IDENTIFIER_TEXT_CHANGED', operation, queryHash(text), operations)];
  });
}

function identifierChange(
  kind: ChangeKind,
  { id, name, text }: ClientOperation,
  after: string | undefined,
  operations: KnownOperations,
): ChangeWithHits {
  const key = queryHash(text);
  const operation = operations.get(key);
  const details = after === undefined ? { before: id } : { before: key, after };
  return {
    ...changeOf(kind, `operation ${name}`, details),
    hits: operation === undefined ? [] : [{ operation, how: 'invalid', isCertain: true }],
  };
}
