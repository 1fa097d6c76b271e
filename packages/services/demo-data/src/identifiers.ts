import { demoCustomers } from './customers.ts';
import { generatedIdentifier } from './generated.ts';
import { demoOrders } from './orders.ts';
import { demoProducts } from './products.ts';
import { demoReviews } from './reviews.ts';

/** The tenants that the demo data belongs to. They share no identifier. */
export const demoTenantIds = ['acme', 'globex'] as const;

type ThingsOf = (tenantId: string) => readonly { readonly id: string }[];

const demoThings: ReadonlyMap<string, ThingsOf> = new Map<string, ThingsOf>([
  ['customer', demoCustomers],
  ['order', demoOrders],
  ['product', demoProducts],
  ['review', demoReviews],
]);

/** The number of demo things of a kind that has no data here. */
const thingCount = 200;

/**
 * The identifiers of a demo tenant's things. Identifiers of a kind without data here, which a subgraph makes itself,
 * follow from their position: every subgraph knows them.
 *
 * @param kind in lower case, such as `product`. Users are not among them, because their identifiers follow from tokens
 */
export function demoIdentifiers(tenantId: string, kind: string): string[] {
  const things = demoThings.get(kind)?.(tenantId);
  return (
    things?.map(({ id }) => id) ??
    Array.from({ length: thingCount }, (_, position) => generatedIdentifier(tenantId, kind, position))
  );
}
