import { sendOperation } from '../send-operation.ts';
import { difference } from '../difference.ts';
import type { ExpectedReview } from '../expected-responses.ts';
import { expectedProduct, isUuid, meanRating } from '../expected-responses.ts';
import { oneOf } from '../one-of.ts';
import { untilSettled } from '../session.ts';
import type { Session } from '../session.ts';
import type { Shelf } from '../product-pool.ts';

/** The number of reviews to read: enough to include the newest. */
const reviewsFirst = 5;

/** Sets the price of the client's own product, and reads it back. */
export async function changePrice(session: Session, productPool: Shelf): Promise<void> {
  const priceMinorUnits = 1 + Math.floor(Math.random() * 100_000);
  const { id } = productPool.product;
  const written = await sendOperation(session, {
    operation: 'SetProductPrice',
    variables: { id, priceMinorUnits },
    expected: { setProductPrice: { id, priceMinorUnits } },
  });
  if (written === undefined) {
    await learn(session, productPool, { priceMinorUnits });
  } else {
    productPool.priceMinorUnits = priceMinorUnits;
    await readBack(session, productPool);
  }
}

/** Adds a review to the client's own product: it is listed once, first, and counts in the mean. */
export async function addReview(session: Session, productPool: Shelf): Promise<void> {
  const { tenant } = session;
  const { product } = productPool;
  const rating = oneOf([1, 2, 3, 4, 5]);
  // Unique, so that it can be recognized.
  const body = `Review ${productPool.reviews.length + 1}, of client ${session.index} (${Math.random().toString(36).slice(2)}).`;
  const averageRating = meanRating([...productPool.reviews, { rating }]);
  const written = await sendOperation(session, {
    operation: 'AddReview',
    variables: { productId: product.id, rating, body },
    expected: {
      addReview: {
        id: isUuid,
        rating,
        body,
        author: { id: isUuid, name: tenant.nameOfUser('alice') },
        product: { id: product.id, averageRating },
      },
    },
  });
  const review = { rating, body, authorSubject: 'alice' };
  if (written === undefined) {
    await learn(session, productPool, { review });
  } else {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is what was expected
    const { addReview: added } = written as { readonly addReview: { readonly id: string } };
    productPool.reviews = [{ ...review, id: added.id }, ...productPool.reviews];
    await readBack(session, productPool);
  }
}

/** Reads the product, which detects a response from before the write, deduplicated or cached. */
async function readBack(session: Session, productPool: Shelf): Promise<void> {
  await sendOperation(session, {
    operation: 'ProductDetails',
    method: oneOf(['GET', 'POST']),
    variables: { id: productPool.product.id, reviewsFirst },
    expected: expectedShelf(session, productPool),
  });
}

/** The intended change of a write whose outcome is unknown. */
interface Attempt {
  readonly priceMinorUnits?: number;
  readonly review?: Omit<ExpectedReview, 'id'>;
}

/** Determines the outcome of a write, which happened completely or not at all. */
async function learn(session: Session, productPool: Shelf, attempt: Attempt): Promise<void> {
  for (;;) {
    await untilSettled(session);
    if (session.load.signal.aborted) {
      return;
    }
    const data = await sendOperation(session, {
      operation: 'ProductDetails',
      variables: { id: productPool.product.id, reviewsFirst },
      // Checked against both outcomes below.
      expected: () => true,
    });
    if (data !== undefined) {
      const outcomes = [productPool, afterwards(productPool, attempt, data)];
      const outcome = outcomes.find(
        (candidate) =>
          difference(expectedShelf(session, candidate), data, { nullsAllowed: false }) === undefined,
      );
      if (outcome === undefined) {
        session.load.tally.fault(
          'ProductDetails: after a write of unknown outcome, it is neither as before nor as after it',
        );
      }
      Object.assign(productPool, outcome);
      return;
    }
  }
}

function afterwards(productPool: Shelf, { priceMinorUnits, review }: Attempt, data: unknown): Shelf {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- whatever it is, it is compared
  const newest = (data as { product?: { reviews?: { id: string }[] } }).product?.reviews?.[0]?.id ?? '';
  return {
    ...productPool,
    priceMinorUnits: priceMinorUnits ?? productPool.priceMinorUnits,
    reviews: review === undefined ? productPool.reviews : [{ ...review, id: newest }, ...productPool.reviews],
  };
}

function expectedShelf({ tenant }: Session, { product, priceMinorUnits, reviews }: Shelf) {
  return { product: expectedProduct(tenant, { ...product, priceMinorUnits }, reviewsFirst, reviews) };
}
