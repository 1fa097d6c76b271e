import type { DevelopmentIdentity } from '@meridian/auth/development';

import { expectRejections } from './actions/expect-rejections.ts';
import { browse } from './actions/browse.ts';
import { addReview, changePrice } from './actions/change-product.ts';
import type { Account } from './actions/update-account.ts';
import { accountOf, updateAccount } from './actions/update-account.ts';
import { driveOrderLifecycle } from './actions/drive-order-lifecycle.ts';
import { readOrders } from './actions/read-orders.ts';
import { accessOtherTenant } from './actions/access-other-tenant.ts';
import { oneOf } from './one-of.ts';
import type { Load, Session } from './session.ts';
import type { StreamTotals } from './follow-reviews.ts';
import { followReviews } from './follow-reviews.ts';
import type { Shelf } from './product-pool.ts';
import { maxClientsOfTenant, shelfOf } from './product-pool.ts';
import type { Tenant } from './tenant.ts';

/** A client's action in a turn. */
type Action = (session: Session, own: Belongings) => Promise<void>;

/** The data that only this client changes. */
interface Belongings {
  readonly productPool: Shelf;
  readonly account: Account;
}

/** The actions of a shop's clients, each as often as it is likely: mostly reads, and some forbidden ones. */
const actions: readonly Action[] = [
  ...times(20, browse),
  ...times(8, readOrders),
  ...times(2, (session, { productPool }) => changePrice(session, productPool)),
  ...times(2, (session, { productPool }) => addReview(session, productPool)),
  ...times(2, (session, { productPool }) => driveOrderLifecycle(session, productPool)),
  ...times(3, (session, { account }) => updateAccount(session, account)),
  ...times(3, accessOtherTenant),
  ...times(6, expectRejections),
];

function times(count: number, action: Action): readonly Action[] {
  return Array.from({ length: count }, () => action);
}

export interface ClientsOptions {
  readonly clients: number;
  readonly tenants: readonly Tenant[];
  readonly identity: DevelopmentIdentity;
  /** The lifetime of the tokens. */
  readonly tokenTtlSeconds: number;
}

/**
 * Runs clients of every tenant until the load is over. Each sends one request after another. Beside them, some follow a
 * stream.
 */
export async function driveClients(load: Load, options: ClientsOptions): Promise<StreamTotals> {
  const sessions = await Promise.all(
    Array.from({ length: options.clients }, (_, position) => openSession(load, position, options)),
  );
  const first = await openSession(load, 0, options);
  const follower = { ...first, index: maxClientsOfTenant };
  const [streams] = await Promise.all([
    followReviews(follower, shelfOf(first.tenant, follower.index)),
    ...sessions.map(runClient),
  ]);
  return streams;
}

async function openSession(
  load: Load,
  position: number,
  { tenants, identity, tokenTtlSeconds: ttlSeconds }: ClientsOptions,
): Promise<Session> {
  const tenant = tenantAt(tenants, position);
  return {
    load,
    tenant,
    otherTenant: tenantAt(tenants, position + 1),
    index: Math.floor(position / tenants.length),
    token: await identity.signToken({ tenant: tenant.id, ttlSeconds }),
    tokenWithoutScopes: await identity.signToken({ tenant: tenant.id, scopes: [], ttlSeconds }),
  };
}

async function runClient(session: Session): Promise<void> {
  const { load, tenant, index } = session;
  const own = { productPool: shelfOf(tenant, index), account: accountOf(tenant.id, index) };
  while (!load.signal.aborted) {
    await oneOf(actions)(session, own);
  }
}

/** Tenants get clients in turn. */
function tenantAt(tenants: readonly Tenant[], position: number): Tenant {
  const tenant = tenants[position % tenants.length];
  if (tenant === undefined) {
    throw new RangeError('There is no tenant');
  }
  return tenant;
}
