import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { demoCustomers, demoOrders, demoProducts } from '../../../packages/services/demo-data/src/index.ts';
import { createIdentifier } from '../../../packages/services/subgraph/src/index.ts';
import { startRealGraph } from './real-graph.ts';
import type { Cost, RealGraph } from './real-graph.ts';

const manifest = JSON.parse(
  readFileSync(new URL('../../../persisted-queries.json', import.meta.url), 'utf8'),
) as {
  readonly operations: readonly { readonly id: string; readonly name: string; readonly type: string }[];
};

const [product] = demoProducts('acme');
const [customer] = demoCustomers('acme');
/** An order with as many line items as there are: a statement or a request for each of them would show. */
const order = demoOrders('acme').find(({ lineItems }) => lineItems.length === 5);
const cancellable = demoOrders('acme').find(
  ({ lineItems, status }) => lineItems.length === 5 && status === 'paid',
);
const items = demoProducts('acme')
  .slice(0, 5)
  .map(({ id, priceMinorUnits }) => ({ productId: id, quantity: 1, unitPriceMinorUnits: priceMinorUnits }));

/**
 * The cost of each operation of the manifest, in the order in which they run here. A number that rises is a
 * lost batch or a longer plan: it takes a reason, and a new number here.
 */
const operations: readonly (Cost & { readonly name: string; readonly variables: object })[] = [
  {
    name: 'Me',
    variables: {},
    requests: { users: ['root'] },
    statements: { users: 1 },
  },
  {
    name: 'TopProducts',
    variables: { first: 20, reviewsFirst: 10 },
    requests: { products: ['root'], reviews: [20], users: [200] },
    statements: { products: 1, reviews: 2, users: 1 },
  },
  {
    name: 'ProductDetails',
    variables: { id: product?.id },
    requests: { products: ['root'], reviews: [1], users: [10] },
    statements: { products: 1, reviews: 2, users: 1 },
  },
  {
    name: 'RecentOrders',
    variables: { first: 100 },
    requests: { orders: ['root'] },
    statements: { orders: 2 },
  },
  {
    // The line items and the recommendations are at two places of the answer: two requests, at the same time.
    name: 'OrderDetails',
    variables: { id: order?.id },
    requests: { orders: ['root'], products: [5, 5] },
    statements: { orders: 4, products: 2 },
  },
  {
    name: 'OrderReviews',
    variables: { id: order?.id, reviewsFirst: 10 },
    requests: { orders: ['root'], products: [5], reviews: [5], users: [50] },
    statements: { orders: 2, products: 1, reviews: 2, users: 1 },
  },
  {
    // Begin and commit come with them: locks the order, keeps the cancellation, changes the status.
    name: 'CancelOrder',
    variables: { id: cancellable?.id, reason: 'ordered twice' },
    requests: { orders: ['root'] },
    statements: { orders: 3 },
  },
  {
    // Nobody asks users: orders provides the subject. Products says what the five weigh, then orders what shipping
    // costs.
    name: 'OrderSupport',
    variables: { id: cancellable?.id },
    requests: { orders: ['root', 5], products: [5] },
    statements: { orders: 3, products: 1 },
  },
  {
    name: 'PlaceOrder',
    variables: { customerId: customer?.id, items },
    requests: { orders: ['root'], products: [5] },
    statements: { orders: 3, products: 1 },
  },
  {
    name: 'SetProductPrice',
    variables: { id: product?.id, priceMinorUnits: 100 },
    requests: { products: ['root'] },
    statements: { products: 1 },
  },
  {
    name: 'AddReview',
    variables: { productId: product?.id, rating: 5, body: 'Well made.' },
    // Reviews asks products whether there is such a product.
    requests: { products: [1], reviews: ['root'], users: [1] },
    statements: { products: 1, reviews: 2, users: 1 },
  },
];

describe('The shipped graph', () => {
  let graph: RealGraph;
  beforeAll(async () => {
    graph = await startRealGraph();
  });
  afterAll(() => graph.close());

  // Before anything is written: these reviews all have different authors.
  it.each([1, 5, 20])(
    'answers the authors of ten reviews of each of %i products with three statements and one batch of authors',
    async (first) => {
      const { response, cost } = await graph.measure({
        query: `query Authors($first: Int!) {
          topProducts(first: $first) { reviews(first: 10) { author { name } } }
        }`,
        variables: { first },
      });
      expect(response.errors).toBeUndefined();
      expect(response.data?.['topProducts']).toHaveLength(first);
      expect(cost).toEqual({
        requests: { products: ['root'], reviews: [first], users: [first * 10] },
        statements: { products: 1, reviews: 1, users: 1 },
      });
    },
  );

  it('has a row here for each query and mutation of the manifest', () => {
    const names = operations.map(({ name }) => name).toSorted();
    // Of a subscription, each event costs what the same query does.
    const requests = manifest.operations.filter(({ type }) => type !== 'subscription');
    expect(names).toEqual(requests.map(({ name }) => name).toSorted());
  });

  it.each(operations)(
    'answers $name with a known number of requests, representations and statements',
    async ({ name, variables, requests, statements }) => {
      const sha256Hash = manifest.operations.find((operation) => operation.name === name)?.id;
      const { response, cost } = await graph.measure({
        operationName: name,
        variables,
        extensions: { persistedQuery: { version: 1, sha256Hash } },
      });
      expect(response.errors).toBeUndefined();
      expect(cost).toEqual({ requests, statements });
    },
  );

  it.each([
    ['does not exist', createIdentifier(), {}],
    ['is another tenant’s', product?.id, { tenant: 'globex' }],
  ])('refuses a review of a product that %s, and stores nothing', async (_which, productId, who) => {
    const sha256Hash = manifest.operations.findLast(({ name }) => name === 'AddReview')?.id;
    const added = await graph.measure(
      {
        operationName: 'AddReview',
        variables: { productId, rating: 5, body: 'Well made.' },
        extensions: { persistedQuery: { version: 1, sha256Hash } },
      },
      who,
    );
    expect(added.response.data).toEqual({ addReview: null });
    expect(added.response.errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
    expect(added.cost).toEqual({
      requests: { products: [1], reviews: ['root'] },
      statements: { products: 1 },
    });
  });

  it('gives every response the form that stays on the fast path', async () => {
    expect(await graph.otherwiseWritten()).toEqual({});
  });
});
