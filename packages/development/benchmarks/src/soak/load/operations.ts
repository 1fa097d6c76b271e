import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkout } from '@meridian/local-stack';

/** The operations of the load, with the subgraphs without which a response is partial. */
export const operationNeeds = {
  AddReview: ['reviews', 'users'],
  CancelOrder: ['orders'],
  Me: ['users'],
  OrderDetails: ['orders', 'products'],
  OrderReviews: ['orders', 'products', 'reviews', 'users'],
  OrderSupport: ['orders', 'products'],
  PlaceOrder: ['orders', 'products'],
  ProductDetails: ['products', 'reviews', 'users'],
  RecentOrders: ['orders'],
  SetProductPrice: ['products'],
  TopProducts: ['products', 'reviews', 'users'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The services that a subgraph calls itself: it responds with `SERVICE_UNAVAILABLE` while one of them is away. */
export const calledBySubgraphs: Readonly<Partial<Record<OperationName, readonly string[]>>> = {
  AddReview: ['products'],
};

export type OperationName = keyof typeof operationNeeds;

/** An operation as a manifest lists it. */
export interface ListedOperation {
  readonly id: string;
  readonly name: string;
  readonly type: 'query' | 'mutation' | 'subscription';
  readonly body: string;
}

/** The operations of a run: the checkout's manifest, and its own. */
export function soakOperations(): readonly ListedOperation[] {
  const { operations }: { readonly operations: readonly ListedOperation[] } = JSON.parse(
    readFileSync(join(checkout, 'persisted-queries.json'), 'utf8'),
  );
  return [...operations, tooManyAliases, aliasesOnTheEdge, watchReviews];
}

/** Finds the identifiers of the operations of a run. */
export function soakIdentifiers(): (name: string) => string {
  const ids = new Map(soakOperations().map(({ name, id }) => [name, id]));
  return (name) => {
    const id = ids.get(name);
    if (id === undefined) {
      throw new Error(`The manifest has no operation ${name}`);
    }
    return id;
  };
}

/** More aliases than any configuration of the run allows. */
export const tooManyAliases = operation(`query TooManyAliases { me { ${aliases(40)} } }`);

/** One alias more than router.yaml allows as shipped. */
export const aliasesOnTheEdge = operation(`query AliasesOnTheEdge { me { ${aliases(31)} } }`);

/** The stream of clients that stay. */
const watchReviews = operation(
  'subscription WatchReviews($productId: ID!) { reviewAdded(productId: $productId) { id } }',
);

/** The marker that the reload of that number registers, and the next one removes. */
export const markerOfReload = (number: number): ListedOperation =>
  operation(`query Reload${number} { me { id } }`);

function aliases(count: number): string {
  return Array.from({ length: count }, (_, index) => `a${index}: name`).join(' ');
}

function operation(body: string): ListedOperation {
  const [, type, name = ''] = /^(query|subscription) (\w+)/u.exec(body) ?? [];
  return {
    id: createHash('sha256').update(body).digest('hex'),
    name,
    type: type === 'subscription' ? type : 'query',
    body,
  };
}
