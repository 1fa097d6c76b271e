import { sendOperation } from '../send-operation.ts';
import { expectedProduct, isUuid } from '../expected-responses.ts';
import { oneOf } from '../one-of.ts';
import type { Session } from '../session.ts';
import { soldProducts } from '../product-pool.ts';

/** The share of requests whose client hangs up before the response. */
const hangUpShare = 0.05;
const maxHangUpMs = 30;

/** Reads of a shop's pages, by GET and by POST, with exactly known responses. */
export async function browse(session: Session): Promise<void> {
  const read = oneOf([readTopProducts, readProduct, readMe]);
  await read(session, {
    method: oneOf(['GET', 'POST']),
    ...(Math.random() < hangUpShare ? { timeoutMs: Math.ceil(Math.random() * maxHangUpMs) } : {}),
  });
}

interface HowToSend {
  readonly method: 'GET' | 'POST';
  readonly timeoutMs?: number;
}

async function readTopProducts(session: Session, how: HowToSend): Promise<void> {
  const { tenant } = session;
  const first = oneOf([5, 10, 20]);
  const reviewsFirst = oneOf([0, 1, 3]);
  await sendOperation(session, {
    ...how,
    operation: 'TopProducts',
    variables: { first, reviewsFirst },
    expected: {
      topProducts: tenant.products
        .slice(0, first)
        .map((product) => expectedProduct(tenant, product, reviewsFirst)),
    },
  });
}

async function readProduct(session: Session, how: HowToSend): Promise<void> {
  const { tenant } = session;
  const product = oneOf(soldProducts(tenant));
  await sendOperation(session, {
    ...how,
    operation: 'ProductDetails',
    variables: { id: product.id, reviewsFirst: 5 },
    expected: { product: expectedProduct(tenant, product, 5) },
  });
}

async function readMe(session: Session, how: HowToSend): Promise<void> {
  const name = session.tenant.nameOfUser('alice');
  await sendOperation(session, { ...how, operation: 'Me', expected: { me: { id: isUuid, name } } });
}
