// Requests of addReview to products, and its use of the response. tools/test/graph asks the real one.
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createIdentifier } from '@meridian/subgraph';
import { startSubgraph } from '@meridian/subgraph/test-support';
import type { StartedSubgraph } from '@meridian/subgraph/test-support';
import { listenOnLoopback } from '@meridian/testing';
import type { LoopbackServer } from '@meridian/testing';

import { createApp } from '../src/app.ts';

type Respond = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Responds with what products says of the one representation. */
const says =
  (body: unknown, status = 200): Respond =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };

const found = says({ data: { _entities: [{ id: 'as requested' }] } });
const document = `mutation AddReview($productId: ID!) {
  addReview(productId: $productId, rating: 4, body: "fine") { rating }
}`;

let respond: Respond;
let products: LoopbackServer;
let reviews: StartedSubgraph;

const start = (url: string, timeoutMs = 10_000): Promise<StartedSubgraph> =>
  startSubgraph({
    createApp: (dependencies) => createApp({ ...dependencies, products: { url, timeoutMs } }),
    migrations: new URL('../migrations/', import.meta.url),
  });

beforeAll(async () => {
  products = await listenOnLoopback((request, response) => void respond(request, response));
  reviews = await start(`${products.url}/graphql`);
});
afterAll(async () => {
  await reviews.stop();
  await products.close();
});
beforeEach(() => {
  respond = found;
});

/** The rating of a product: null without a stored review. */
async function ratingOf(productId: string, subgraph = reviews): Promise<unknown> {
  const { data } = await subgraph.entities('Product', [{ id: productId }], '{ averageRating }');
  return data?.['_entities'];
}

it('addReview looks the product up in products as the caller, in the same trace, and stores the review', async () => {
  const productId = createIdentifier();
  const requested: { headers: IncomingMessage['headers']; body: unknown }[] = [];
  respond = async (request, response) => {
    requested.push({ headers: request.headers, body: JSON.parse(await text(request)) });
    await found(request, response);
  };
  const authorization = `Bearer ${await reviews.token()}`;
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  const response = await fetch(`${reviews.url}/graphql`, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/json',
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    },
    body: JSON.stringify({ query: document, variables: { productId } }),
  });
  expect(await response.json()).toEqual({ data: { addReview: { rating: 4 } } });
  expect(requested).toEqual([
    {
      headers: expect.objectContaining({
        authorization,
        traceparent: expect.stringMatching(`^00-${traceId}-[0-9a-f]{16}-01$`),
      }),
      body: {
        query: expect.stringContaining('_entities'),
        variables: { representations: [{ __typename: 'Product', id: productId }] },
      },
    },
  ]);
  expect(await ratingOf(productId)).toEqual([{ averageRating: 4 }]);
});

it('addReview answers NOT_FOUND for a product that products does not have, and stores nothing', async () => {
  const productId = createIdentifier();
  respond = says({ data: { _entities: [null] } });
  expect(await reviews.ask(document, { productId })).toMatchObject({
    data: { addReview: null },
    errors: [{ message: 'There is no such product', extensions: { code: 'NOT_FOUND' } }],
  });
  expect(await ratingOf(productId)).toEqual([{ averageRating: null }]);
});

it('addReview sends no request when its arguments are invalid', async () => {
  respond = () => {
    throw new Error('products was requested');
  };
  const { errors } = await reviews.ask(document, { productId: 'p1' });
  expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
});

it('addReview sends its request again when a kept connection turns out to be closed', async () => {
  const productId = createIdentifier();
  let requests = 0;
  respond = (request, response) => {
    requests += 1;
    return requests === 1 ? void request.socket.destroy() : found(request, response);
  };
  expect(await reviews.ask(document, { productId })).toEqual({ data: { addReview: { rating: 4 } } });
  expect([requests, await ratingOf(productId)]).toEqual([2, [{ averageRating: 4 }]]);
});

const unusable: readonly (readonly [string, Respond])[] = [
  ['is full', says({ type: 'unavailable' }, 503)],
  ['takes no such token', says({ type: 'invalid-token' }, 401)],
  ['fails at the product', says({ data: { _entities: [null] }, errors: [{ message: 'no store' }] })],
  ['refuses the operation', says({ errors: [{ message: 'unknown type' }] })],
  ['says nothing of the product', says({ data: { _entities: [] } })],
  ['says more than was requested', says({ data: { _entities: [null, null] } })],
  ['sends no JSON', (_request, response) => void response.end('<html>')],
  ['sends more than it has to say', says({ data: { _entities: [{ id: 'x'.repeat(100_000) }] } })],
  [
    'sends elsewhere',
    (request, response) =>
      request.url === '/graphql'
        ? void response.writeHead(307, { location: '/elsewhere' }).end()
        : found(request, response),
  ],
  ['hangs up', (request) => void request.socket.destroy()],
];

it.each(unusable)(
  'addReview answers SERVICE_UNAVAILABLE while products %s, stores nothing, and logs the cause',
  async (_what, how) => {
    const productId = createIdentifier();
    respond = how;
    const linesBefore = reviews.logLines.length;
    expect(await reviews.ask(document, { productId })).toMatchObject({
      data: { addReview: null },
      errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }],
    });
    expect(await ratingOf(productId)).toEqual([{ averageRating: null }]);
    expect(
      reviews.logLines.slice(linesBefore).filter((line) => line.includes('the look-up of a product failed')),
    ).toHaveLength(1);
  },
);

it('addReview answers SERVICE_UNAVAILABLE while products is away, and stores nothing', async () => {
  const away = await listenOnLoopback(() => undefined);
  await away.close();
  const alone = await start(`${away.url}/graphql`);
  const productId = createIdentifier();
  const { errors } = await alone.ask(document, { productId });
  expect(errors).toMatchObject([{ extensions: { code: 'SERVICE_UNAVAILABLE' } }]);
  expect(await ratingOf(productId, alone)).toEqual([{ averageRating: null }]);
  await alone.stop();
});

it('addReview answers SERVICE_UNAVAILABLE within the request’s time while products is slow, hangs up, and stores nothing', async () => {
  const hungUp: Promise<unknown>[] = [];
  respond = (_request, response) => void hungUp.push(once(response, 'close'));
  const impatient = await start(`${products.url}/graphql`, 100);
  const productId = createIdentifier();
  const { errors } = await impatient.ask(document, { productId });
  expect(errors).toMatchObject([{ extensions: { code: 'SERVICE_UNAVAILABLE' } }]);
  expect(hungUp).toHaveLength(1);
  await Promise.all(hungUp);
  expect(await ratingOf(productId, impatient)).toEqual([{ averageRating: null }]);
  await impatient.stop();
});

it('addReview aborts its request to products when its client hangs up, and stores nothing', async () => {
  const client = new AbortController();
  const closed = new Promise((resolve) => {
    respond = (_request, response) => {
      response.once('close', resolve);
      client.abort();
    };
  });
  const productId = createIdentifier();
  const sent = fetch(`${reviews.url}/graphql`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await reviews.token()}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: document, variables: { productId } }),
    signal: client.signal,
  });
  await expect(sent).rejects.toThrow('aborted');
  await closed;
  expect(await ratingOf(productId)).toEqual([{ averageRating: null }]);
});
