import { demoIdentifier, demoTimeMs } from './demo-identifier.ts';
import { lastNames } from './names.ts';
import { createSeededRandom } from './seeded-random.ts';

/** A customer of a demo tenant. */
export interface DemoCustomer {
  readonly id: string;
  readonly name: string;
}

const trades = ['Bakery', 'Bookshop', 'Garage', 'Hotel', 'Studio'];

/** A tenant's 60 customers. */
export function demoCustomers(tenantId: string): DemoCustomer[] {
  const random = createSeededRandom(`${tenantId}/customers`);
  return lastNames.flatMap((lastName, row) =>
    trades.map((trade, column) => ({
      id: demoIdentifier(demoTimeMs(row * trades.length + column), random),
      name: `${lastName} ${trade}`,
    })),
  );
}
