import type { Representation } from '@meridian/etag';

import type { OrderRevision } from './order.ts';

/** The identity that the entity tag of a tenant's order is made from: an order has one representation. */
export function taggedOrder(tenantId: string, { id, revision, storeEpoch }: OrderRevision): Representation {
  return { tenantId, identifier: id, revision, storeEpoch };
}
