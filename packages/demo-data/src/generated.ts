// A tenant of any size, position by position: what stands at a position is always the same, so that a load that broke off
// can run again, and each subgraph names the things of the others without asking them.
import { demoTimeMs } from './demo-clock.ts';
import { demoIdentifier } from './demo-identifier.ts';
import { inTurn } from './in-turn.ts';
import { firstNames, lastNames } from './names.ts';
import type { DemoCustomer } from './customers.ts';
import type { DemoOrder } from './orders.ts';
import type { DemoProduct } from './products.ts';
import type { DemoReview } from './reviews.ts';
import { createSeededRandom } from './seeded-random.ts';
import type { DemoUser } from './users.ts';

/** How much a generated tenant has. */
export interface GeneratedSize {
  readonly products: number;
  readonly reviews: number;
  readonly orders: number;
}

/** The positions of a part: `from` is in it, `to` is not. */
export interface GeneratedRange {
  readonly from: number;
  readonly to: number;
}

/** How many users and customers a generated tenant has, whatever else it has. */
export const generatedPeople = 20_000;

/** Products whose place among the best-sellers has nothing to do with when they were made. */
export function generatedProducts(tenantId: string, range: GeneratedRange): DemoProduct[] {
  return positions(range).map((position) => {
    const random = randomAt(tenantId, 'product', position);
    return {
      id: generatedIdentifier(tenantId, 'product', position),
      name: `Product ${position + 1}`,
      priceMinorUnits: random.integer(100, 99_999),
      weightGrams: random.integer(1, 400) * 50,
      unitsSold: random.integer(0, 1_000_000),
    };
  });
}

/** Reviews that go from product to product, so that each product has as many. */
export function generatedReviews(
  tenantId: string,
  range: GeneratedRange,
  { products }: GeneratedSize,
): DemoReview[] {
  return positions(range).map((position) => {
    const random = randomAt(tenantId, 'review', position);
    return {
      id: generatedIdentifier(tenantId, 'review', position),
      productId: generatedIdentifier(tenantId, 'product', position % products),
      authorSubject: subjectAt(random.integer(0, generatedPeople - 1)),
      rating: random.integer(1, 5),
      body: `Review ${position + 1}: does what it should.`,
      createdAt: new Date(timeAt(position)).toISOString(),
    };
  });
}

/** Orders of one to five products each, oldest first. */
export function generatedOrders(
  tenantId: string,
  range: GeneratedRange,
  { products }: GeneratedSize,
): DemoOrder[] {
  return positions(range).map((position) => {
    const random = randomAt(tenantId, 'order', position);
    const first = random.integer(0, products - 1);
    return {
      id: generatedIdentifier(tenantId, 'order', position),
      status: inTurn(['placed', 'paid', 'shipped', 'delivered'] as const, position),
      createdAt: new Date(timeAt(position)).toISOString(),
      customerId: generatedIdentifier(tenantId, 'customer', random.integer(0, generatedPeople - 1)),
      lineItems: positions({ from: 0, to: Math.min(products, random.integer(1, 5)) }).map((item) => ({
        productId: generatedIdentifier(tenantId, 'product', (first + item) % products),
        quantity: random.integer(1, 4),
        unitPriceMinorUnits: random.integer(100, 99_999),
      })),
    };
  });
}

export function generatedCustomers(tenantId: string, range: GeneratedRange): DemoCustomer[] {
  return positions(range).map((position) => ({
    id: generatedIdentifier(tenantId, 'customer', position),
    name: `${inTurn(lastNames, position)} ${position + 1}`,
  }));
}

export function generatedUsers(range: GeneratedRange): DemoUser[] {
  return positions(range).map((position) => ({
    subject: subjectAt(position),
    name: `${inTurn(firstNames, position)} ${inTurn(lastNames, position)}`,
  }));
}

/** The first one is alice, for whom `pnpm run token` makes a token. */
function subjectAt(position: number): string {
  return position === 0 ? 'alice' : `user-${position}`;
}

function generatedIdentifier(tenantId: string, kind: string, position: number): string {
  return demoIdentifier(timeAt(position), randomAt(tenantId, kind, position));
}

const randomAt = (tenantId: string, kind: string, position: number) =>
  createSeededRandom(`${tenantId}/generated ${kind} ${position}`);

/** Six seconds from one position to the next. */
const timeAt = (position: number) => demoTimeMs(0) + position * 6000;

function positions({ from, to }: GeneratedRange): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
