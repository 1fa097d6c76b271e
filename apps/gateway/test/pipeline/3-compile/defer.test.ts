// The rules for `@defer`, and the refusal of clients that take no parts.
import { beforeAll, describe, expect, it } from '@jest/globals';

import type { ClientSideResponse } from '../../support/test-gateway.ts';
import { useTestGateway } from '../../support/use-test-gateway.ts';

const gateway = useTestGateway();
const takesParts = { Accept: 'multipart/mixed;deferSpec=20220824, application/json' };
const ask = (query: string, headers: Readonly<Record<string, string>> = takesParts, variables = {}) =>
  gateway.post({ query, variables }, headers);
const messageOf = ({ body }: ClientSideResponse): string | undefined => body.errors?.[0]?.message;

describe('An operation with @defer', () => {
  beforeAll(() => gateway.start({ config: 'supergraph: { introspection: true }' }));

  it.each([
    [
      'a label that is not unique',
      'query A { product(id: 1) { ... @defer(label: "a") { name } ... @defer(label: "a") { price } } }',
      'The label "a" of @defer is not unique',
    ],
    [
      'a label that is a variable',
      'query A($label: String) { product(id: 1) { ... @defer(label: $label) { name } } }',
      'The label of @defer must be a text, not a variable',
    ],
    [
      'a deferred root field of a mutation',
      'mutation A { ... @defer { rename(id: 1, name: "a") { id } } }',
      '@defer cannot be used on the root type Mutation',
    ],
    [
      'the directive on a field',
      'query A { product(id: 1) @defer { name } }',
      'Directive "@defer" may not be used on FIELD.',
    ],
    [
      'a condition of another type',
      'query A { product(id: 1) { ... @defer(if: "yes") { name } } }',
      'Boolean cannot represent a non boolean value: "yes"',
    ],
  ])('and %s is not valid', async (_fault, query, message) => {
    const response = await ask(query);
    expect(response.code).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(messageOf(response)).toBe(message);
    expect(gateway.products.received).toEqual([]);
  });

  it.each([
    ['query A { product(id: 1) { ... @defer { name } } }', {}],
    [
      'query A($if: Boolean!) { product(id: 1) { ...F @defer(if: $if) } } fragment F on Product { name }',
      { if: true },
    ],
    ['query A($if: Boolean! = true) { product(id: 1) { ... @defer(if: $if) { name } } }', {}],
  ])('gets 406 DEFER_BAD_HEADER for a client that takes no parts: %s', async (query, variables) => {
    for (const accept of ['application/json', '*/*', 'application/graphql-response+json']) {
      const { status, code, headers } = await ask(query, { Accept: accept }, variables);
      expect({ status, code, vary: headers.get('Vary') }).toEqual({
        status: 406,
        code: 'DEFER_BAD_HEADER',
        vary: 'Accept',
      });
    }
    expect(gateway.products.received).toEqual([]);
  });

  it.each([
    ['query A { product(id: 1) { ... @defer(if: false) { name } } }', {}],
    ['query A($if: Boolean!) { product(id: 1) { ... @defer(if: $if) { name } } }', { if: false }],
  ])('that its condition turns off gets JSON: %s', async (query, variables) => {
    const { body, headers } = await ask(query, { Accept: 'application/json' }, variables);
    expect(body).toEqual({ data: { product: { name: 'Product 1' } } });
    expect(headers.get('Content-Type')).toBe('application/json');
  });

  it('finds the directive by introspection', async () => {
    const { body } = await ask('query A { __schema { directives { name locations args { name } } } }');
    expect(JSON.stringify(body.data)).toContain(
      '{"name":"defer","locations":["FRAGMENT_SPREAD","INLINE_FRAGMENT"],"args":[{"name":"label"},{"name":"if"}]}',
    );
  });

  it('does not exist where supergraph.defer_support is false', async () => {
    await gateway.start({ config: 'supergraph: { introspection: true, defer_support: false }' });
    const response = await ask('query A { product(id: 1) { ... @defer { name } } }');
    expect(response.code).toBe('GRAPHQL_VALIDATION_FAILED');
    expect(messageOf(response)).toContain('The gateway does not support @defer');
    const { body } = await ask('query A { __schema { directives { name } } }');
    expect(JSON.stringify(body.data)).not.toContain('defer');
  });
});
