import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { SupergraphError, createExecutor, introspect, loadSupergraph } from '../../src/index.ts';
import { composeSdl, runText, startFederation, supergraphOf } from '../support/federation.ts';
import { sdlOf } from '../support/stub-subgraph.ts';

describe('loadSupergraph', () => {
  it('reads a supergraph with security, cost and composed directives', () => {
    const sdl = readFileSync(new URL('../../../../../supergraph.graphql', import.meta.url), 'utf8');

    const { subgraphs, apiSchema } = loadSupergraph(sdl);

    const names = [...sdl.matchAll(/@join__graph\(name: "(?<name>\w+)"/gu)].map(
      ({ groups }) => groups?.['name'],
    );
    expect(names.length).toBeGreaterThan(1);
    expect(subgraphs.map(({ name }) => name)).toEqual(names);
    expect(apiSchema.getType('join__Graph')).toBeUndefined();
  });

  it.each([
    ['no GraphQL', 'type {'],
    ['no supergraph', 'type Query { a: Int }'],
  ])('refuses %s in one line', (_fault, sdl) => {
    expect(() => loadSupergraph(sdl)).toThrow(SupergraphError);
    expect(() => loadSupergraph(sdl)).toThrow(/^Cannot load the supergraph: [^\n]+$/u);
  });

  it('refuses a feature that the executor does not run', () => {
    const sdl = composeSdl([
      { name: 'a', sdl: sdlOf({ sdl: 'type Query { a: Int }', resolvers: {} }), routingUrl: 'http://a' },
    ]);
    const withConnectors = sdl.replace(
      'schema\n',
      'schema\n  @link(url: "https://specs.apollo.dev/connect/v0.2", for: EXECUTION)\n',
    );

    expect(() => loadSupergraph(sdl)).not.toThrow();
    expect(() => loadSupergraph(withConnectors)).toThrow(/connect/u);
  });

  it('introspects every default of a custom scalar', async () => {
    const literal = '{x: [1.5, -7, "\\"", null], y: {z: true}}';
    const { sdl } = supergraphOf({
      a: 'scalar Any  type Query { a(of: Any = {}): Int  b(of: Any = "{}"): Int }',
    });
    const supergraph = loadSupergraph(sdl.replace('{}', literal));
    const executor = createExecutor({
      supergraph,
      transport: { send: () => Promise.reject(new Error('asked')) },
    });

    const { data } = await runText(
      executor,
      '{ __type(name: "Query") { fields { args { defaultValue } } } }',
    );
    const fields = [{ args: [{ defaultValue: literal }] }, { args: [{ defaultValue: '"{}"' }] }];
    expect(JSON.parse(data)).toEqual({ __type: { fields } });
    expect(JSON.stringify(introspect(supergraph.apiSchema))).toContain(JSON.stringify(literal));
  });

  it('chooses a resolvable key, also when another one comes before it', async () => {
    const federation = await startFederation({
      products: {
        sdl: `
          type Query { products: [Product!]! }
          type Product @key(fields: "id") @key(fields: "sku") { id: ID!  sku: String! }
        `,
        resolvers: { Query: { products: () => [{ id: 'p1', sku: 's1' }] } },
      },
      stock: {
        sdl: `
          type Query { inStock: [Product!]! }
          type Product @key(fields: "id", resolvable: false) @key(fields: "sku") { id: ID!  sku: String!  amount: Int! }
        `,
        resolvers: {
          Product: {
            __resolveReference: (reference: { sku?: string }) =>
              reference.sku && { id: 'p1', ...reference, amount: 3 },
          },
        },
      },
    });

    const response = await federation.run('{ products { amount } }');
    await federation.close();

    expect(response).toEqual({ data: { products: [{ amount: 3 }] }, errors: [] });
  });
});
