import { createEntityTags } from '@meridian/etag';

import type { StoredTransfer } from './transfer.ts';

/** The entity tag of a tenant's transfer. */
export type TransferTag = (tenantId: string, transfer: StoredTransfer) => string;

/** @param keys the first makes tags */
export function createTransferTag(keys: readonly string[]): TransferTag {
  const tags = createEntityTags({ keys });
  return (tenantId, { id, reversed_by: reversedBy, store_epoch: storeEpoch }) =>
    // A transfer changes once at most: when it is reversed.
    tags.of({ tenantId, identifier: id, revision: reversedBy === null ? 1n : 2n, storeEpoch });
}
