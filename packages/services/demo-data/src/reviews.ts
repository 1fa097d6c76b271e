import { demoIdentifier, demoTimeMs } from './demo-identifier.ts';
import { inTurn } from './in-turn.ts';
import { demoProducts } from './products.ts';
import { createSeededRandom } from './seeded-random.ts';
import { demoUsers } from './users.ts';

/** A review of a demo tenant's product. */
export interface DemoReview {
  readonly id: string;
  readonly productId: string;
  /** The subject of the user who wrote it. */
  readonly authorSubject: string;
  /** From 1 to 5. */
  readonly rating: number;
  readonly body: string;
  /** RFC 3339. */
  readonly createdAt: string;
}

const openings = [
  'Bought it as a gift.',
  'In daily use for a month.',
  'Second one already.',
  'Arrived quickly.',
];
/** The texts for each rating, from 1 to 5. */
const verdicts: readonly (readonly string[])[] = [
  ['Broke within a week.', 'Not what the picture shows.'],
  ['Wobbles.', 'Cheaper than it looks.'],
  ['Does what it should.', 'Fine for the price.'],
  ['Well made.', 'Would buy it again.'],
  ['The best that I have had.', 'Nothing to wish for.'],
];

/**
 * The number of newest reviews of a product that are all by different authors, also across twenty products in a row.
 */
const distinctAuthors = 10;

/** A tenant's reviews: 10 to 25 for each product, product by product, newest first. */
export function demoReviews(tenantId: string): DemoReview[] {
  const random = createSeededRandom(`${tenantId}/reviews`);
  const subjects = demoUsers().map((user) => user.subject);
  return demoProducts(tenantId).flatMap((product, rank) =>
    Array.from({ length: random.integer(distinctAuthors, 25) }, (_, age) => {
      const createdAtMs = demoTimeMs(60 * 24 * (60 - age) + rank);
      const rating = random.pick([1, 2, 3, 3, 4, 4, 4, 5, 5, 5]);
      return {
        id: demoIdentifier(createdAtMs, random),
        productId: product.id,
        authorSubject: inTurn(subjects, rank * distinctAuthors + age),
        rating,
        body: `${random.pick(openings)} ${random.pick(inTurn(verdicts, rating - 1))}`,
        createdAt: new Date(createdAtMs).toISOString(),
      };
    }),
  );
}
