import { demoIdentifier, demoTimeMs } from './demo-identifier.ts';
import { createSeededRandom } from './seeded-random.ts';

/** A product of a demo tenant. */
export interface DemoProduct {
  readonly id: string;
  readonly name: string;
  readonly priceMinorUnits: number;
  /** The weight of one, packed: 50 g to 20 kg. */
  readonly weightGrams: number;
  /** The units sold, which order the best-sellers. No two products of a tenant have sold the same. */
  readonly unitsSold: number;
}

const finishes = [
  'Plain',
  'Polished',
  'Brushed',
  'Folding',
  'Small',
  'Large',
  'Travel',
  'Classic',
  'Nordic',
  'Double',
];
const materials = ['Oak', 'Steel', 'Linen', 'Glass', 'Copper', 'Bamboo', 'Wool', 'Stone', 'Leather', 'Cork'];
const things = ['Kettle', 'Lamp', 'Chair', 'Basket', 'Clock', 'Tray', 'Blanket', 'Mug', 'Shelf', 'Mirror'];

const productCount = 200;

/** A tenant's 200 products, best-selling first. */
export function demoProducts(tenantId: string): DemoProduct[] {
  const random = createSeededRandom(`${tenantId}/products`);
  // A separate source, so that adding the weight changed nothing else of the products.
  const weights = createSeededRandom(`${tenantId}/product weights`);
  const names = new Set<string>();
  while (names.size < productCount) {
    names.add(`${random.pick(finishes)} ${random.pick(materials)} ${random.pick(things)}`);
  }
  return [...names].map((name, rank) => ({
    id: demoIdentifier(demoTimeMs(rank), random),
    name,
    priceMinorUnits: random.integer(5, 400) * 100 - 1,
    weightGrams: weights.integer(1, 400) * 50,
    unitsSold: (productCount - rank) * 10 + random.integer(0, 9),
  }));
}
