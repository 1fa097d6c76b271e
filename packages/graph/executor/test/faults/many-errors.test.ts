// A subgraph chooses how many errors it reports, and how long they are: a response stays in proportion.
import { describe, expect, it } from '@jest/globals';

import type { ExecutionResult, SubgraphTransport } from '../../src/index.ts';
import { SubgraphFailure, createExecutor } from '../../src/index.ts';
import { runText, supergraphOf } from '../support/federation.ts';
import { depot } from './depot.ts';

const supergraph = supergraphOf(depot);

const query = '{ products { id place level { name } } }';
const bound = 100;
const boundOfRun = 1000;

describe('The executor', () => {
  /** Runs an operation over a catalog of so many products, and a depot that answers so. */
  async function run(
    count: number,
    responseOf: (body: string) => string | SubgraphFailure,
    text = query,
  ): Promise<ExecutionResult> {
    const products = Array.from({ length: count }, (_, index) => ({
      __typename: 'Product',
      id: `p${index}`,
    }));
    const transport: SubgraphTransport = {
      async send({ subgraph, body }) {
        const response = subgraph === 'catalog' ? JSON.stringify({ data: { products } }) : responseOf(body);
        if (response instanceof SubgraphFailure) {
          throw response;
        }
        return { text: response, cacheControl: undefined };
      },
    };
    return await runText(createExecutor({ supergraph, transport }), text);
  }

  const failing = (errors: readonly unknown[]): (() => string) => {
    const text = JSON.stringify({ data: null, errors });
    return () => text;
  };

  it('reports an error without a path at each position that it leaves empty, and further ones at the first', async () => {
    const { errors } = await run(
      2,
      failing([{ message: 'one' }, { message: 'two' }]),
      '{ products { level { name } } }',
    );

    expect(errors).toMatchObject([
      { message: 'one', path: ['products', 0, 'level'] },
      { message: 'one', path: ['products', 1, 'level'] },
      { message: 'two', path: ['products', 0, 'level'] },
    ]);
  });

  it('reports the first of very many errors without a path, and that there are more', async () => {
    const { data, errors } = await run(100, failing(Array.from({ length: 100_000 }, () => ({}))));

    expect(errors).toHaveLength(bound + 1);
    expect(errors.at(-1)).toEqual({ kind: 'omitted', subgraph: 'depot', path: ['products'] });
    expect(data).toBe('null');
  });

  it('reports the first of very many errors with a path, and that there are more', async () => {
    const { errors } = await run(
      200,
      failing(Array.from({ length: 200 }, (_, index) => ({ path: ['_entities', index, 'level'] }))),
    );

    expect(errors).toHaveLength(bound + 1);
    expect(errors[7]).toMatchObject({ kind: 'reported', path: ['products', 7, 'level'] });
    expect(errors.at(-1)).toEqual({ kind: 'omitted', subgraph: 'depot', path: ['products'] });
  });

  it('reports a failed subrequest at as many positions, and at their common ancestor', async () => {
    const failure = new SubgraphFailure('GATEWAY_TIMEOUT', 'too slow');
    const { errors } = await run(3000, () => failure);

    expect(errors).toHaveLength(bound + 1);
    expect(errors.at(-1)).toEqual({
      kind: 'subrequest',
      code: 'GATEWAY_TIMEOUT',
      subgraph: 'depot',
      cause: failure,
      path: ['products'],
    });
  });

  it('truncates a long error that it repeats', async () => {
    const message = 'x'.repeat(100_000);
    const error = { message, extensions: { code: 'LONG', stacktrace: [message] } };
    const { errors } = await run(50, failing([error]));

    expect(errors).toHaveLength(bound);
    expect(errors[0]).toMatchObject({ message, extensions: { code: 'LONG', stacktrace: [message] } });
    expect(JSON.stringify(errors.slice(1)).length).toBeLessThan(bound * 1200);
    expect(errors[1]).toMatchObject({ extensions: { code: 'LONG' } });
  });

  it('keeps only the code of extensions that nest too deep', async () => {
    const nested = `${'{"a":'.repeat(400)}1${'}'.repeat(400)}`;
    const { data, errors } = await run(
      2,
      () => `{"data":null,"errors":[{"message":"deep","extensions":{"code":"DEEP","more":${nested}}}]}`,
    );

    expect(data).toBe('null');
    expect(errors[0]).toMatchObject({ message: 'deep', extensions: { code: 'DEEP' } });
    expect(JSON.stringify(errors).length).toBeLessThan(2000);
  });

  it.each([
    ['nests more than 500 arrays and objects', '['.repeat(501)],
    ['has more than 2000000 values', `[${'0,'.repeat(2_000_000)}0]`],
    [
      'has more than 100000 different names of members',
      `{${Array.from({ length: 100_001 }, (_, index) => `"k${index}":0`).join()}}`,
    ],
  ])('rejects a response before it is parsed that %s', async (fault, other) => {
    const { errors } = await run(1, () => `{"data":null,"errors":[{"message":"x"}],"other":${other}}`);

    expect(errors[0]).toMatchObject({ code: 'SUBREQUEST_MALFORMED_RESPONSE' });
    expect(String(errors[0]?.kind === 'subrequest' && errors[0].cause)).toContain(fault);
  });

  it('ignores an error path that is longer than any in the response', async () => {
    const path = ['_entities', 0, 'level', ...Array<number>(100_000).fill(1)];

    expect((await run(1, failing([{ path }]))).errors.map(({ path: place }) => place)).toEqual([
      ['products', 0, expect.any(String)],
      ['products', 0, expect.any(String)],
    ]);
  });

  it('bounds the errors that it raises for malformed subgraph responses', async () => {
    const entities = Array.from({ length: 1500 }, () => ({ level: { code: null } }));
    const { data, errors } = await run(
      entities.length,
      () => JSON.stringify({ data: { _entities: entities } }),
      '{ products { level { code } } }',
    );

    expect(errors).toHaveLength(boundOfRun + 1);
    expect(errors[0]).toMatchObject({ code: 'SUBREQUEST_MALFORMED_RESPONSE' });
    expect(errors.at(-1)).toEqual({ kind: 'omitted' });
    expect(data).toContain('"level":null');
  });

  it('fetches no more entities than an operation may have', async () => {
    let isCalled = false;
    const { errors } = await run(50_001, () => {
      isCalled = true;
      return '{}';
    });

    expect(isCalled).toBe(false);
    expect(errors).toHaveLength(bound + 1);
    expect(errors[0]).toMatchObject({ kind: 'subrequest', code: 'SUBREQUEST_MALFORMED_RESPONSE' });
  });
});
