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

export interface Manifest {
  readonly operations: readonly ListedOperation[];
}

/** The manifest of the checkout. */
export function readManifest(): Manifest {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `pnpm manifest:check` checks the file against its schema
  return JSON.parse(readFileSync(join(checkout, 'persisted-queries.json'), 'utf8')) as Manifest;
}

/** Finds the identifiers of operations. */
export function identifiersOf({ operations }: Manifest): (name: string) => string {
  const ids = new Map(operations.map(({ name, id }) => [name, id]));
  return (name) => {
    const id = ids.get(name);
    if (id === undefined) {
      throw new Error(`The manifest has no operation ${name}`);
    }
    return id;
  };
}
