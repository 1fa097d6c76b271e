import { beforeAll, describe, expect, it } from '@jest/globals';
import { getIntrospectionQuery } from 'graphql';

import type { ClientSideResponse } from '../../support/test-gateway.ts';
import { startTestGateway } from '../../support/test-gateway.ts';
import { useTestGateway } from '../../support/use-test-gateway.ts';

const draft = { Accept: 'application/graphql-response+json' };

const gateway = useTestGateway();

beforeAll(() =>
  gateway.start({
    config: 'limits: { parser_max_tokens: 100, parser_max_recursion: 10 }',
  }),
);
function ask(query: string, members: object = {}): Promise<ClientSideResponse> {
  return gateway.post({ query, ...members }, draft);
}

describe('The text of an operation', () => {
  it('is answered with 400 PARSING_ERROR when it has more tokens than the limit', async () => {
    const { status, code } = await ask(`query A { ${'__typename '.repeat(100)} }`);
    expect({ status, code }).toEqual({ status: 400, code: 'PARSING_ERROR' });
  });

  it('is accepted with exactly as many tokens as the limit', async () => {
    expect((await ask(`query A { ${'time '.repeat(96)} }`)).status).toBe(200);
  });

  it('has a token for each line of a block string', async () => {
    const ofLines = (count: number): string =>
      `query A { product(id: """${'\n'.repeat(count - 1)}""") { id } }`;
    expect((await ask(ofLines(88))).status).toBe(200);
    expect((await ask(ofLines(89))).code).toBe('PARSING_ERROR');
  });

  it('is answered with PARSING_ERROR with the location of a syntax error', async () => {
    const { status, body } = await ask('query A {\n  time(\n}');
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([
      { locations: [{ line: 3, column: 1 }], extensions: { code: 'PARSING_ERROR' } },
    ]);
  });

  it('is answered with PARSING_ERROR when its brackets nest too deep', async () => {
    expect((await ask(`query A { search(filter: ${'['.repeat(20)}${']'.repeat(20)}) { id } }`)).code).toBe(
      'PARSING_ERROR',
    );
  });

  it('is answered with PARSING_ERROR when a string is unterminated', async () => {
    expect((await ask('query A { product(id: "1) { id } }')).code).toBe('PARSING_ERROR');
  });
});

describe('The operation name', () => {
  const two = 'query One { time } query Two { now: time }';

  it('chooses the operation of a document', async () => {
    expect((await ask(two, { operationName: 'Two' })).body).toEqual({ data: { now: 'now' } });
  });

  it('that the document does not have is answered with 400 GRAPHQL_UNKNOWN_OPERATION_NAME', async () => {
    const { status, code } = await ask(two, { operationName: 'Three' });
    expect({ status, code }).toEqual({ status: 400, code: 'GRAPHQL_UNKNOWN_OPERATION_NAME' });
  });

  it('is required when a document has several operations', async () => {
    expect((await ask(two)).code).toBe('GRAPHQL_UNKNOWN_OPERATION_NAME');
  });

  it('is optional when a document has one operation', async () => {
    expect((await ask('query One { time }')).status).toBe(200);
  });

  it('is required: an operation without one is answered with 400 ANONYMOUS_OPERATION', async () => {
    const { status, code } = await ask('{ time }');
    expect({ status, code }).toEqual({ status: 400, code: 'ANONYMOUS_OPERATION' });
  });

  it('is checked before the operation is validated', async () => {
    expect((await ask('{ nothing }')).code).toBe('ANONYMOUS_OPERATION');
  });

  it('is ignored in a document without operations, which fails validation', async () => {
    expect((await ask('fragment F on Query { time }')).code).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});

describe('Validation', () => {
  it('answers 400 GRAPHQL_VALIDATION_FAILED, with every location', async () => {
    const { status, body } = await ask('query A { nothing product { id } }');
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([
      { locations: [{ line: 1, column: 11 }], extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
      { extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
    ]);
    expect(body).not.toHaveProperty('data');
  });

  it('suggests no names: no "did you mean"', async () => {
    for (const query of ['query A { topProduct { id } }', 'query A { product(id: 1) }']) {
      const { body } = await ask(query);
      expect(JSON.stringify(body)).toContain('GRAPHQL_VALIDATION_FAILED');
      expect(JSON.stringify(body)).not.toMatch(/did you mean/i);
    }
  });

  it('refuses a subscription, @stream and fields that only the planner knows', async () => {
    const codes = [
      await ask('subscription A { time }'),
      await ask('query A { topProducts @stream { id } }'),
      await ask('query A { _entities(representations: []) { __typename } }'),
      await ask('query A { _service { sdl } }'),
    ].map(({ code }) => code);
    expect(new Set(codes)).toEqual(new Set(['GRAPHQL_VALIDATION_FAILED']));
  });

  it('fetches nothing for a request error', async () => {
    await ask('query A { time nothing }');
    expect(gateway.products.received).toEqual([]);
  });
});

describe('The values of variables', () => {
  const query = 'query A($first: Int!) { topProducts(first: $first) { id } }';

  it.each([{}, { first: null }, { first: 'one' }, { first: 1.5 }, { first: 2 ** 31 }])(
    'are answered with 400 VALIDATION_INVALID_TYPE_VARIABLE when they are bad: %j',
    async (variables) => {
      const { status, code } = await ask(query, { variables });
      expect({ status, code }).toEqual({ status: 400, code: 'VALIDATION_INVALID_TYPE_VARIABLE' });
    },
  );

  it('are reported at their declaration when they are bad', async () => {
    await ask(query, { variables: { first: 1 } });
    expect((await ask(query, { variables: {} })).body.errors).toMatchObject([
      { locations: [{ line: 1, column: 9 }] },
    ]);
  });

  it('are reported at the declaration of each that is bad', async () => {
    const text =
      'query A($id: ID!, $first: Int!, $filter: Filter) { product(id: $id) { parts(first: $first) { id } } search(filter: $filter) { id } }';
    expect((await ask(text, { variables: { id: '1', first: 'x', filter: 7 } })).body.errors).toMatchObject([
      { locations: [{ line: 1, column: 19 }] },
      { locations: [{ line: 1, column: 33 }] },
    ]);
  });

  it('are the defaults of their declarations where the client sends none', async () => {
    const text =
      'query A($first: Int! = 1, $more: Boolean! = false) { topProducts(first: $first) { id name @include(if: $more) } }';
    expect((await ask(text)).body).toEqual({ data: { topProducts: [{ id: '1' }] } });
  });

  it('are ignored without a declaration, and reach no subgraph', async () => {
    expect((await ask(query, { variables: { first: 1, other: 2 } })).status).toBe(200);
    expect(gateway.products.received[0]?.body.variables).toEqual({ first: 1 });
  });
});

describe('Introspection', () => {
  it('is answered with 400 INTROSPECTION_DISABLED while it is off', async () => {
    const { status, code } = await ask('query A { __schema { types { name } } }');
    expect({ status, code }).toEqual({ status: 400, code: 'INTROSPECTION_DISABLED' });
  });

  it.each([
    'query A { __type(name: "Query") { name } }',
    'query A { ...F } fragment F on Query { s: __schema { types { name } } }',
  ])('is found in %s', async (query) => {
    expect((await ask(query)).code).toBe('INTROSPECTION_DISABLED');
  });

  it('does not include __typename', async () => {
    expect((await ask('query A { __typename topProducts(first: 1) { __typename } }')).body).toEqual({
      data: { __typename: 'Query', topProducts: [{ __typename: 'Product' }] },
    });
  });

  it('shows the API schema while it is on', async () => {
    await using open = await startTestGateway({
      config: 'supergraph: { introspection: true }',
      env: { NODE_ENV: 'development' },
    });
    const { body } = await open.post({ query: getIntrospectionQuery() });
    const schema = JSON.stringify(body.data);
    expect(schema).toContain('"topProducts"');
    expect(schema).not.toMatch(/join__|_entities|_service/);
  });
});
