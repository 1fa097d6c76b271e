import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';

import type { ExecutionResult, SubgraphRequest } from '../../src/index.ts';
import { SubgraphFailure, createExecutor } from '../../src/index.ts';
import { supergraphOf } from '../support/federation.ts';

const supergraph = supergraphOf({
  products: 'type Query { one: Product two: Product } type Product @key(fields: "id") { id: ID! }',
  prices: 'scalar Anything type Product @key(fields: "id") { id: ID! price: Anything }',
});

interface Body {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

type Respond = (request: Body) => string;

/** The prices, with a response to the merged request and one to each fetch alone. */
function pricesOf(merged: Respond, alone: Respond = () => '{"data":{"_entities":[{"price":7}]}}') {
  const requests: Body[] = [];
  const executor = createExecutor({
    supergraph,
    isMerged: (subgraph) => subgraph === 'prices',
    transport: {
      async send({ subgraph, body }: SubgraphRequest) {
        const request = JSON.parse(body) as Body;
        if (subgraph === 'products') {
          const text =
            '{"data":{"one":{"__typename":"Product","id":"1"},"two":{"__typename":"Product","id":"2"}}}';
          return await Promise.resolve({ text, cacheControl: undefined });
        }
        requests.push(request);
        const isMerged = '_m0' in request.variables;
        return { text: Buffer.from((isMerged ? merged : alone)(request)), cacheControl: undefined };
      },
    },
  });
  const operation = executor.prepare({ document: parse('query Prices { one { price } two { price } }') });
  return {
    requests,
    run: (): Promise<ExecutionResult> =>
      operation.run({ variables: {}, signal: new AbortController().signal }),
  };
}

describe('Fetches of a round to one subgraph', () => {
  it('are one request, of which each reads its part', async () => {
    const prices = pricesOf(() => '{"data":{"_m0":[{"price":1}],"_m1":[{"price":2}]}}');

    expect((await prices.run()).data).toBe('{"one":{"price":1},"two":{"price":2}}');
    expect(prices.requests).toEqual([
      {
        query:
          'query Prices__prices($_m0:[_Any!]!$_m1:[_Any!]!){_m0:_entities(representations:$_m0){...on Product{price}}_m1:_entities(representations:$_m1){...on Product{price}}}',
        operationName: 'Prices__prices',
        variables: {
          _m0: [{ __typename: 'Product', id: '1' }],
          _m1: [{ __typename: 'Product', id: '2' }],
        },
      },
    ]);
  });

  it.each([
    ['in another order, with spaces', '{ "data": { "_m1": [ {"price":2} ],\n "_m0": [{"price":1}] } }', '1'],
    [
      'with its separator in a value',
      '{"data":{"_m0":[{"price":[[1],"_m1"]}],"_m1":[{"price":2}]}}',
      '[[1],"_m1"]',
    ],
    [
      'with its separator as a member of a value',
      '{"data":{"_m0":[{"price":{"a":[1],"_m1":[9]}}],"_m1":[{"price":2}]}}',
      '{"a":[1],"_m1":[9]}',
    ],
    [
      'with digits that a double loses',
      '{"data":{"_m0":[{"price":12345678901234567890}],"_m1":[{"price":2}]} }',
      '12345678901234567890',
    ],
  ])('read a response %s', async (_, response, one) => {
    const prices = pricesOf(() => response);

    expect((await prices.run()).data).toBe(`{"one":{"price":${one}},"two":{"price":2}}`);
    expect(prices.requests).toHaveLength(1);
  });

  it('keep their own errors, at their own places', async () => {
    const prices = pricesOf(
      () =>
        '{"errors":[{"message":"sold","path":["_m1",0,"price"],"extensions":{"code":"SOLD"}}],"data":{"_m0":[{"price":1}],"_m1":[{"price":null}]}}',
    );
    const { data, errors } = await prices.run();

    expect(data).toBe('{"one":{"price":1},"two":{"price":null}}');
    expect(errors).toEqual([expect.objectContaining({ path: ['two', 'price'], message: 'sold' })]);
    expect(prices.requests).toHaveLength(1);
  });

  it('keep their own errors where other members come last', async () => {
    const prices = pricesOf(
      () =>
        '{"data":{"_m0":[{"price":null}],"_m1":[{"price":2}]},"errors":[{"message":"sold","path":["_m0",0,"price"]}],"extensions":{"w":{"x":["w"]}}}',
    );
    const { data, errors } = await prices.run();

    expect(data).toBe('{"one":{"price":null},"two":{"price":2}}');
    expect(errors).toEqual([expect.objectContaining({ path: ['one', 'price'], message: 'sold' })]);
    expect(prices.requests).toHaveLength(1);
  });

  it.each<[string, Respond]>([
    [
      'an error without a place',
      () => '{"errors":[{"message":"no"}],"data":{"_m0":[{"price":1}],"_m1":[null]}}',
    ],
    ['no data', () => '{"errors":[{"message":"no","path":["_m1"]}],"data":null}'],
    ['half a response', () => '{"data":{"_m0":[{"price":1}]}}'],
    ['no JSON', () => '<html>'],
    [
      'the status 400',
      () => {
        throw new SubgraphFailure('SUBREQUEST_HTTP_ERROR', 'too many aliases', { status: 400 });
      },
    ],
  ])('are sent again, each alone, after %s', async (_, merged) => {
    const prices = pricesOf(merged);

    expect(await prices.run()).toMatchObject({ data: '{"one":{"price":7},"two":{"price":7}}', errors: [] });
    expect(prices.requests).toHaveLength(3);
  });

  it('are not sent again to a subgraph that is away', async () => {
    const prices = pricesOf(() => {
      throw new SubgraphFailure('SUBREQUEST_HTTP_ERROR', 'away', { status: 503 });
    });
    const { data, errors } = await prices.run();

    expect(data).toBe('{"one":{"price":null},"two":{"price":null}}');
    expect(errors).toHaveLength(2);
    expect(prices.requests).toHaveLength(1);
  });

  it('keep their data when the subgraph fails with it', async () => {
    const body =
      '{"errors":[{"message":"late","path":["_m1",0,"price"]}],"data":{"_m0":[{"price":1}],"_m1":[{"price":null}]}}';
    const prices = pricesOf(() => {
      throw new SubgraphFailure('SUBREQUEST_HTTP_ERROR', 'away', { status: 503, body });
    });
    const { data, errors } = await prices.run();

    expect(data).toBe('{"one":{"price":1},"two":{"price":null}}');
    expect(errors.map(({ path }) => path)).toEqual([['one'], ['two', 'price'], ['two']]);
    expect(prices.requests).toHaveLength(1);
  });

  it('stay alone for a hundred rounds after three merged requests in a row without use', async () => {
    const prices = pricesOf(() => '<html>');
    for (let run = 0; run < 3; run += 1) {
      await prices.run();
    }
    expect(prices.requests).toHaveLength(9);
    for (let run = 0; run < 100; run += 1) {
      await prices.run();
    }
    expect(prices.requests).toHaveLength(209);
    await prices.run();
    expect(prices.requests).toHaveLength(212);
  });
});
