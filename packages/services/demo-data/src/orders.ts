import { demoCustomers } from './customers.ts';
import { demoIdentifier, demoTimeMs } from './demo-identifier.ts';
import { inTurn } from './in-turn.ts';
import { demoProducts } from './products.ts';
import type { DemoProduct } from './products.ts';
import { createSeededRandom } from './seeded-random.ts';
import type { SeededRandom } from './seeded-random.ts';

/** The status of a demo order. */
export type DemoOrderStatus = (typeof statuses)[number];

/** An order of a demo tenant. */
export interface DemoOrder {
  readonly id: string;
  readonly status: DemoOrderStatus;
  /** RFC 3339. */
  readonly createdAt: string;
  /** Every tenth order has none. */
  readonly customerId: string | null;
  /** 1 to 5, each of another product. */
  readonly lineItems: readonly DemoLineItem[];
}

/** The part of a demo order about one product. */
export interface DemoLineItem {
  readonly productId: string;
  readonly quantity: number;
  readonly unitPriceMinorUnits: number;
}

const statuses = ['placed', 'paid', 'shipped', 'delivered'] as const;

const orderCount = 100;

/** A tenant's 100 orders, oldest first: 25 of each status, so that 50 can be cancelled. */
export function demoOrders(tenantId: string): DemoOrder[] {
  const random = createSeededRandom(`${tenantId}/orders`);
  const products = demoProducts(tenantId);
  const customers = demoCustomers(tenantId);
  return Array.from({ length: orderCount }, (_, position) => {
    const createdAtMs = demoTimeMs(60 * 24 * 60 + position * 7);
    return {
      id: demoIdentifier(createdAtMs, random),
      status: inTurn(statuses, position),
      createdAt: new Date(createdAtMs).toISOString(),
      customerId: position % 10 === 9 ? null : random.pick(customers).id,
      lineItems: lineItemsOf(products, random),
    };
  });
}

function lineItemsOf(products: readonly DemoProduct[], random: SeededRandom): DemoLineItem[] {
  const wanted = random.integer(1, 5);
  const chosen = new Set<DemoProduct>();
  while (chosen.size < wanted) {
    chosen.add(random.pick(products));
  }
  return [...chosen].map((product) => ({
    productId: product.id,
    quantity: random.integer(1, 4),
    unitPriceMinorUnits: product.priceMinorUnits,
  }));
}
