import type { ServerResponse } from 'node:http';

import { beforeAll, describe, expect, it } from '@jest/globals';

import type { Misbehaviour } from '../../support/stub-subgraph.ts';
import { respondJson } from '../../support/stub-subgraph.ts';
import type { ClientSideResponse, TestGateway } from '../../support/test-gateway.ts';
import { startTestGateway } from '../../support/test-gateway.ts';
import { useTestGateway } from '../../support/use-test-gateway.ts';

/** Waits for any subgraph as long as a busy machine may take. */
const gateway = useTestGateway();
/** Soon gives the reviews subgraph up, which never answers it in time. */
const hasty = useTestGateway();

beforeAll(async () => {
  await gateway.start({
    config: 'limits: { subgraph: { subgraphs: { reviews: { http_max_response_size: 2KiB } } } }',
  });
  await hasty.start({ config: 'traffic_shaping: { subgraphs: { reviews: { timeout: 100ms } } }' });
});

/** Asks for two products; the reviews subgraph has their ratings. */
function askForRatings(target: TestGateway = gateway): Promise<ClientSideResponse> {
  return target.post({ query: 'query A { topProducts(first: 2) { name rating } }' });
}

const withoutRatings = {
  topProducts: [
    { name: 'Product 1', rating: null },
    { name: 'Product 2', rating: null },
  ],
};
const ratingPaths = ['topProducts.0.rating', 'topProducts.1.rating'];

function pathsOf({ body }: ClientSideResponse): unknown[] {
  return (body.errors ?? []).map(({ path }) => path?.join('.'));
}

function codesOf({ body }: ClientSideResponse): unknown[] {
  return [...new Set((body.errors ?? []).map(({ extensions }) => extensions.code))];
}

/** The client's view while the reviews subgraph misbehaves. */
async function outcomeOf(misbehaviour: Misbehaviour, target: TestGateway = gateway): Promise<object> {
  target.reviews.misbehave(misbehaviour);
  const response = await askForRatings(target);
  return {
    status: response.status,
    data: response.body.data,
    codes: codesOf(response),
    paths: pathsOf(response),
  };
}

/** The expected view: all available data, and an error for each missing rating. */
function partialData(code: string): object {
  return { status: 200, data: withoutRatings, codes: [code], paths: ratingPaths };
}

describe('The errors of entities of which some are equal', () => {
  it('come in the order of their paths', async () => {
    const products = ['1', '2', '3', '1', '2'].map((id) => ({ __typename: 'Product', id, name: id }));
    gateway.products.misbehave((response) => respondJson(response, { data: { topProducts: products } }));
    gateway.reviews.misbehave((response) => void response.destroy());
    const response = await gateway.post({ query: 'query Many { topProducts(first: 5) { name rating } }' });
    expect(pathsOf(response)).toEqual([0, 1, 2, 3, 4].map((index) => `topProducts.${index}.rating`));
  });
});

describe('A subgraph that is too slow causes GATEWAY_TIMEOUT on the path, with partial data,', () => {
  it('when it never responds', async () => {
    expect(await outcomeOf(() => undefined, hasty)).toEqual(partialData('GATEWAY_TIMEOUT'));
  });

  it('when it sends headers and no end of the body', async () => {
    const outcome = await outcomeOf((response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.write('{"data":');
    }, hasty);
    expect(outcome).toEqual(partialData('GATEWAY_TIMEOUT'));
  });

  it('and its null in a non-null position propagates to the nearest nullable one', async () => {
    hasty.reviews.misbehave(() => undefined);
    const response = await hasty.post({ query: 'query A { topProducts(first: 1) { name reviews { id } } }' });
    expect(response.body.data).toEqual({ topProducts: [null] });
    expect(pathsOf(response)).toEqual(['topProducts.0.reviews']);
  });

  it('and a root field of its own is null without the others', async () => {
    hasty.reviews.misbehave(() => undefined);
    const response = await hasty.post({ query: 'query A { time mine: review(id: 1) { id } }' });
    expect(response.body.data).toEqual({ time: 'now', mine: null });
    expect(pathsOf(response)).toEqual(['mine']);
  });
});

describe('A subgraph that is unreachable or answers other than 2xx causes SUBREQUEST_HTTP_ERROR', () => {
  it.each([500, 503, 404, 400])('when it answers %i, and keeps data that came with it', async (status) => {
    const outcome = await outcomeOf((response) =>
      respondJson(response, { data: { _entities: [{ rating: 1 }, { rating: 2 }] } }, status),
    );
    expect(outcome).toEqual({
      status: 200,
      data: {
        topProducts: [
          { name: 'Product 1', rating: 1 },
          { name: 'Product 2', rating: 2 },
        ],
      },
      codes: ['SUBREQUEST_HTTP_ERROR'],
      paths: ['topProducts'],
    });
  });

  it('when it closes the connection', async () => {
    const outcome = await outcomeOf((response) => void response.destroy());
    expect(outcome).toEqual(partialData('SUBREQUEST_HTTP_ERROR'));
  });

  it('when it redirects, which the gateway does not follow', async () => {
    const outcome = await outcomeOf((response) => {
      response.writeHead(307, { Location: gateway.products.url });
      response.end();
    });
    expect(outcome).toEqual(partialData('SUBREQUEST_HTTP_ERROR'));
  });

  it('when nothing listens on its port', async () => {
    await using other = await startTestGateway({
      config: 'override_subgraph_url: { reviews: "http://127.0.0.1:1/graphql" }',
    });
    const response = await other.post({ query: 'query A { topProducts(first: 2) { name rating } }' });
    expect([response.body.data, codesOf(response)]).toEqual([withoutRatings, ['SUBREQUEST_HTTP_ERROR']]);
  });
});

describe('A malformed subgraph response causes SUBREQUEST_MALFORMED_RESPONSE', () => {
  const respondingWith =
    (text: string): Misbehaviour =>
    (response: ServerResponse) =>
      void response.writeHead(200, { 'Content-Type': 'application/json' }).end(text);

  it.each([
    ['no JSON', '<html>'],
    ['a list', '[]'],
    ['neither data nor errors', '{}'],
    ['`null`', 'null'],
    ['null data without an error', '{"data":null}'],
    ['data that is not an object', '{"data":1}'],
    ['errors that are not a list', '{"data":{"_entities":[null,null]},"errors":{}}'],
    ['too few entities', '{"data":{"_entities":[{"rating":1}]}}'],
    ['too many entities', '{"data":{"_entities":[{"rating":1},{"rating":2},{"rating":3}]}}'],
    ['no entities', '{"data":{}}'],
    ['null for entities', '{"data":{"_entities":null}}'],
    ['an entity that is not an object', '{"data":{"_entities":[{"rating":1},2]}}'],
    ['an answer over the size cap', JSON.stringify({ data: { _entities: ['x'.repeat(4000)] } })],
  ])('when it is %s', async (_case, text) => {
    expect(await outcomeOf(respondingWith(text))).toEqual(partialData('SUBREQUEST_MALFORMED_RESPONSE'));
  });

  it('when it has a null where the schema allows none, without an error', async () => {
    gateway.reviews.misbehave((response) =>
      respondJson(response, { data: { _entities: [{ reviews: null }] } }),
    );
    const httpResponse = await gateway.post({
      query: 'query A { topProducts(first: 1) { name reviews { id } } }',
    });
    expect(httpResponse.body.data).toEqual({ topProducts: [null] });
    expect([codesOf(httpResponse), pathsOf(httpResponse)]).toEqual([
      ['SUBREQUEST_MALFORMED_RESPONSE'],
      ['topProducts.0.reviews'],
    ]);
    expect(httpResponse.body).not.toHaveProperty('extensions');
  });
});

describe('An entity that does not exist', () => {
  it('is null without an error', async () => {
    gateway.products.misbehave((response) => respondJson(response, { data: { _entities: [null] } }));
    const { body } = await gateway.post({ query: 'query A { review(id: 1) { body product { name } } }' });
    expect(body).toEqual({ data: { review: { body: 'Good', product: null } } });
  });
});

describe("A subgraph's error", () => {
  it('has its path in the whole response, next to partial data', async () => {
    gateway.reviews.misbehave((response) =>
      respondJson(response, {
        data: { _entities: [{ rating: 4 }, { rating: null }] },
        errors: [{ message: 'no rating', path: ['_entities', 1, 'rating'] }],
      }),
    );
    const httpResponse = await askForRatings();
    expect(httpResponse.body.data).toEqual({
      topProducts: [
        { name: 'Product 1', rating: 4 },
        { name: 'Product 2', rating: null },
      ],
    });
    expect(pathsOf(httpResponse)).toEqual(['topProducts.1.rating']);
  });

  it('may come without data', async () => {
    gateway.reviews.misbehave((response) =>
      respondJson(response, { data: { _entities: null }, errors: [{ message: 'no' }] }),
    );
    const httpResponse = await askForRatings();
    expect(httpResponse.body.data).toEqual(withoutRatings);
    expect(codesOf(httpResponse)).toEqual(['INTERNAL_SERVER_ERROR']);
  });
});

describe('A failed fetch', () => {
  it('is logged once, with its cause', async () => {
    gateway.reviews.misbehave((response) => respondJson(response, {}, 500));
    const { headers } = await askForRatings();
    const lines = gateway.log.filter(
      ({ msg, traceId }) =>
        msg === 'a request to a subgraph failed' && traceId === headers.get('apollo-trace-id'),
    );
    expect(lines).toMatchObject([
      {
        subgraph: 'reviews',
        code: 'SUBREQUEST_HTTP_ERROR',
        err: { message: expect.stringContaining('500') },
      },
    ]);
  });
});
