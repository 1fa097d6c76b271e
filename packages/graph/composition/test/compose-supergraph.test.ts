import { apiSchemaOf, composeSupergraph } from '@meridian/composition';
import { describe, expect, it } from '@jest/globals';
import { printSchema } from 'graphql';

import { fixture } from './fixture.ts';
import { incompatibleChanges } from './incompatible-changes.ts';

const products = fixture('products', 'products');
const reviews = fixture('reviews', 'reviews');

describe('composeSupergraph', () => {
  it('composes subgraphs into a supergraph that records which subgraph resolves each field', () => {
    const { supergraphSdl, hints, errors } = composeSupergraph([products, reviews]);

    expect(errors).toBeUndefined();
    expect(hints).toEqual([]);
    expect(supergraphSdl).toContain(
      'PRODUCTS @join__graph(name: "products", url: "http://127.0.0.1/products")',
    );
    expect(supergraphSdl).toContain('averageRating: Float @join__field(graph: REVIEWS)');
  });

  it('gives the same supergraph for the same subgraphs in another order', () => {
    expect(composeSupergraph([reviews, products])).toEqual(composeSupergraph([products, reviews]));
  });

  it.each(incompatibleChanges)(
    'names the fault and its place when $change',
    ({ subgraphs, code, what, where }) => {
      const { errors } = composeSupergraph(subgraphs);

      expect(errors).toHaveLength(1);
      expect(errors?.[0]).toMatchObject({ code, message: expect.stringContaining(what) });
      expect(errors?.[0]?.locations.map(({ subgraph, start }) => `${subgraph}:${start.line}`)).toEqual(where);
    },
  );

  it.each([
    ['import: ["@pageSize"]', 'pageSize', '200', 1],
    ['import: ["@pageSize"]', 'pageSize', '-1', 1],
    ['import: ["@pageSize"]', 'pageSize', '100', 0],
    ['import: ["@pageSize"]', 'pageSize', 'null', 0],
    ['import: [{ name: "@pageSize", as: "@page" }]', 'page', '200', 1],
    ['as: "paging"', 'paging', '200', 1],
  ])('rejects a default that the page size does not take: %s, @%s, %s', (imports, name, size, count) => {
    const { errors = [] } = composeSupergraph([
      products,
      {
        name: 'paged',
        routingUrl: 'http://127.0.0.1/paged',
        sdl: `extend schema
          @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])
          @link(url: "https://meridian.example/pageSize/v1.0", ${imports})
        directive @${name}(max: Int!) on ARGUMENT_DEFINITION
        type Query {
          pages(first: Int = ${size} @${name}(max: 100)): [Int]
        }`,
      },
    ]);
    expect(errors).toHaveLength(count);
    for (const { code, message, locations } of errors) {
      expect(code).toBe('PAGE_SIZE_DEFAULT_NOT_ALLOWED');
      expect(message).toBe(`[paged] Query.pages(first:) is ${size} by default, and @${name} takes 0 to 100.`);
      expect(locations).toMatchObject([{ subgraph: 'paged', start: { line: 6, column: 17 } }]);
    }
  });

  it('points at the definition and not at its description', () => {
    const { errors } = composeSupergraph([products, fixture('reviews', 'reviews-owning-name')]);

    expect(errors?.[0]?.locations.find(({ subgraph }) => subgraph === 'reviews')).toEqual({
      subgraph: 'reviews',
      start: { line: 6, column: 3 },
      end: { line: 6, column: 15 },
    });
  });

  it('names the subgraph of each schema that does not parse', () => {
    const { errors } = composeSupergraph([
      { ...products, sdl: 'type Query {\n  product:\n}' },
      { ...reviews, sdl: 'typ Product' },
    ]);

    expect(errors).toEqual([
      {
        code: 'INVALID_GRAPHQL',
        message: '[products] Syntax Error: Expected Name, found "}".',
        locations: [{ subgraph: 'products', start: { line: 3, column: 1 }, end: { line: 3, column: 1 } }],
      },
      {
        code: 'INVALID_GRAPHQL',
        message: '[reviews] Syntax Error: Unexpected Name "typ".',
        locations: [{ subgraph: 'reviews', start: { line: 1, column: 1 }, end: { line: 1, column: 1 } }],
      },
    ]);
  });

  it('returns the hints of subgraphs that compose with differences', () => {
    const { hints } = composeSupergraph([
      { ...products, sdl: products.sdl.replace('type Product', '"Sold."\ntype Product') },
      { ...reviews, sdl: reviews.sdl.replace('type Product', '"Reviewed."\ntype Product') },
    ]);

    expect(hints).toEqual([expect.objectContaining({ code: 'INCONSISTENT_DESCRIPTION', isWarning: true })]);
  });
});

describe('apiSchemaOf', () => {
  it('shows the schema without the directives of federation', () => {
    const { supergraphSdl = '' } = composeSupergraph([products, reviews]);
    const schema = apiSchemaOf(supergraphSdl);

    expect(Object.keys(schema.getTypeMap())).toContain('Product');
    expect(Object.keys(schema.getTypeMap()).filter((name) => name.startsWith('join__'))).toEqual([]);
    expect(schema.getDirectives().map(({ name }) => name)).not.toContain('join__type');
  });

  it('omits @inaccessible elements', () => {
    const sdl = products.sdl
      .replace('"@key"', '"@key", "@inaccessible"')
      .replace('priceMinorUnits: Int!', 'priceMinorUnits: Int! @inaccessible');
    const { supergraphSdl = '' } = composeSupergraph([{ ...products, sdl }]);

    expect(supergraphSdl).toContain('priceMinorUnits');
    expect(printSchema(apiSchemaOf(supergraphSdl))).not.toContain('priceMinorUnits');
  });

  it('reads a supergraph with security directives, which stock gateways refuse', () => {
    const sdl = products.sdl
      .replace('"@key"', '"@key", "@authenticated"')
      .replace('product(id: ID!): Product', 'product(id: ID!): Product @authenticated');
    const { supergraphSdl = '' } = composeSupergraph([{ ...products, sdl }]);

    expect(supergraphSdl).toContain('for: SECURITY');
    expect(apiSchemaOf(supergraphSdl).getQueryType()?.getFields()).toHaveProperty('product');
  });

  it('throws for a text that is not a supergraph', () => {
    expect(() => apiSchemaOf('type Query { a: Int }')).toThrow('Invalid supergraph');
  });
});
