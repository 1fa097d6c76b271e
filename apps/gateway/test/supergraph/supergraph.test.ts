import { readFileSync, writeFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';
import type { Supergraph } from '@meridian/executor';
import { loadSupergraph } from '@meridian/executor';
import { eventually } from '@meridian/testing';

import { withoutRefusedLinks } from '../../src/executor/apollo-executor.ts';
import { accessRules } from '../../src/supergraph/access-rules.ts';
import { pageSizes } from '../../src/supergraph/page-sizes.ts';
import { products } from '../support/shop-subgraphs.ts';
import { startTestGateway } from '../support/test-gateway.ts';
import { unrunnableSupergraphs } from '../support/unrunnable-supergraphs.ts';
import { compose } from '../support/compose.ts';

describe('loadSupergraph', () => {
  it.each([
    ['no GraphQL', 'type Query {', 'Syntax Error'],
    [
      'no supergraph',
      'type Query { a: Int }',
      'the schema is not composed: compose the schemas of the subgraphs',
    ],
    [
      'a syntax error',
      'type Query {\n  a Int\n}',
      'line 2, column 5: Syntax Error: Expected ":", found Name "Int".',
    ],
    [
      'one that needs an unsupported feature',
      supergraphOf(products.sdl).sdl.replace(
        'schema\n',
        'schema\n  @link(url: "https://specs.example/vault/v1.0", for: SECURITY)\n',
      ),
      'vault',
    ],
  ])('refuses %s, in one line', (_case, sdl, fault) => {
    expect(() => loadSupergraph(sdl)).toThrow(/^Cannot load the supergraph: .*$/);
    expect(() => loadSupergraph(sdl)).toThrow(fault);
  });

  it('hides the directives and types of federation from clients', () => {
    const { apiSchema } = supergraphOf(products.sdl);
    expect(apiSchema.getType('join__Graph')).toBeUndefined();
    expect(apiSchema.getDirective('requiresScopes')).toBeUndefined();
  });
});

describe('accessRules', () => {
  const schema = (definitions: string): Supergraph =>
    supergraphOf(`
      extend schema @link(url: "https://specs.apollo.dev/federation/v2.14", import: ["@key", "@authenticated", "@policy", { name: "@requiresScopes", as: "@needs" }])
      ${definitions}
    `);
  const scopeSetsOf = (supergraph: Supergraph, parent: string, field: string): unknown =>
    accessRules(supergraph)(parent, field).map(({ sets }) => sets);

  it('finds a directive under the name that it is linked by', () => {
    const supergraph = schema('type Query { a: Int @needs(scopes: [["x", "y"], ["z"]]) }');
    expect(scopeSetsOf(supergraph, 'Query', 'a')).toEqual([[['x', 'y'], ['z']]]);
  });

  it('combines the requirements of a field, its parent type and its own type', () => {
    const supergraph = schema(`
      type Query { a: T }
      type T @authenticated { s: Secret }
      scalar Secret @needs(scopes: [["x"]])
    `);
    expect(scopeSetsOf(supergraph, 'T', 's')).toEqual([[[]], [['x']]]);
  });

  it('combines, for a field of an interface, the requirements of all implementing types', () => {
    const supergraph = schema(`
      type Query { nodes: [Node] }
      interface Node { id: ID! }
      type Open implements Node { id: ID! }
      type Closed implements Node @needs(scopes: [["x"]]) { id: ID! }
    `);
    expect(scopeSetsOf(supergraph, 'Node', 'id')).toContainEqual([['x']]);
    expect(scopeSetsOf(supergraph, 'Open', 'id')).toEqual([]);
  });

  it('keeps the policies of @policy apart from scopes', () => {
    const supergraph = schema('type Query { a: Int @policy(policies: [["p"]]) }');
    expect(accessRules(supergraph)('Query', 'a')).toMatchObject([{ of: 'policies', sets: [['p']] }]);
  });
});

describe('pageSizes', () => {
  it('finds @pageSize by the name of its link, whatever the host and the import', () => {
    const supergraph = supergraphOf(`
      extend schema
        @link(url: "https://specs.apollo.dev/federation/v2.14", import: ["@composeDirective"])
        @link(url: "https://other.example/specs/pageSize/v2.0", import: [{ name: "@pageSize", as: "@page" }])
        @composeDirective(name: "@page")
      directive @page(max: Int!) on ARGUMENT_DEFINITION
      type Query { list(first: Int @page(max: 7), other: Int): [Int] }
    `);
    const sizeOf = pageSizes(supergraph);
    expect([sizeOf('Query', 'list', 'first'), sizeOf('Query', 'list', 'other')]).toEqual([7, undefined]);
  });
});

describe('withoutRefusedLinks', () => {
  it('removes the links of security and of composed directives', () => {
    const supergraph = supergraphOf(products.sdl);
    const sdl = withoutRefusedLinks(supergraph);
    expect(sdl).not.toMatch(/@link\([^)]*(?:authenticated|requiresScopes|cacheControl|pageSize|cost)/i);
    const { apiSchema } = loadSupergraph(sdl);
    const fieldsOf = (schema: Supergraph['apiSchema']): string[] =>
      Object.keys(schema.getQueryType()?.getFields() ?? {});
    expect(fieldsOf(apiSchema)).toEqual(fieldsOf(supergraph.apiSchema));
  });
});

describe('The supergraph file', () => {
  it('is reloaded when it changes, and a bad one leaves the previous one in force', async () => {
    await using gateway = await startTestGateway();
    const sdl = readFileSync(gateway.supergraphPath, 'utf8');
    writeFileSync(gateway.supergraphPath, sdl.replace(/\n\s*time: String[^\n]*/, ''));
    await eventually(async () => {
      expect((await gateway.post({ query: 'query A { time }' })).code).toBe('GRAPHQL_VALIDATION_FAILED');
    });
    writeFileSync(gateway.supergraphPath, 'type Query {');
    await gateway.logged({ level: 'error' });
    expect((await gateway.post({ query: 'query A { product(id: 1) { id } }' })).code).toBeUndefined();
  });

  it.each(Object.entries(unrunnableSupergraphs))(
    'is rejected in one line when it turns into one with %s, and the previous one stays in force',
    async (_case, { sdl, line }) => {
      await using gateway = await startTestGateway();
      writeFileSync(gateway.supergraphPath, sdl);
      await gateway.logged({
        level: 'error',
        err: expect.objectContaining({ message: expect.stringMatching(line) }),
      });
      expect((await gateway.post({ query: 'query A { time }' })).code).toBeUndefined();
    },
  );
});

function supergraphOf(sdl: string): Supergraph {
  return loadSupergraph(compose([{ name: 'one', routingUrl: 'http://127.0.0.1:1', sdl }]));
}
