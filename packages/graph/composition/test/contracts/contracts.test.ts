import { describe, expect, it } from '@jest/globals';
import { apiSchemaOf, composeSupergraph } from '@meridian/composition';

import { composeContract } from '../../src/contracts/compose-contract.ts';
import type { ContractFilter } from '../../src/contracts/contracts-file.ts';
import { readContracts } from '../../src/contracts/contracts-file.ts';
import { compareContracts } from './compare-contracts.ts';

describe('A contract', () => {
  it('shows clients what another implementation shows them, over generated graphs and tags', () => {
    const { made, refused, apart, differences } = compareContracts('contracts', 300);
    expect(differences).toEqual([]);
    expect({ hasMade: made > 60, hasRefused: refused > 60, areFewApart: apart < 40 }).toEqual({
      hasMade: true,
      hasRefused: true,
      areFewApart: true,
    });
  });

  it.each([
    [
      'excluded elements are hidden, and types that nothing reaches any more',
      '{ exclude: [internal] }',
      ['Product.id', 'Product.name', 'Query.product'],
    ],
    [
      'of unreachable types, hide_unreachable_types: false shows all',
      '{ exclude: [internal], hide_unreachable_types: false }',
      ['Product.id', 'Product.name', 'Query.product', 'Supplier.id'],
    ],
    [
      'with included tags, a field needs one, and is hidden with an excluded one too',
      '{ include: [shop], exclude: [internal] }',
      ['Product.name', 'Query.product'],
    ],
    [
      'an unreachable type with an included tag stays',
      '{ include: [shop, partner] }',
      ['Product.cost', 'Product.name', 'Query.product', 'Supplier.id'],
    ],
  ])('%s', (_rule, filter, fields) => {
    expect(fieldsOf(contract(filter).supergraphSdl)).toEqual(fields);
  });

  it('keeps what @key and @requires need in the supergraph', () => {
    expect(contract('{ include: [shop] }').supergraphSdl).toMatch(
      /type Product\s+@join__type\(graph: SHOP, key: "id"\)[^{]*\{\s+id: ID! @inaccessible/,
    );
  });

  it('hides arguments of directives for operations', () => {
    const sdl = `${shop.sdl} directive @trial(open: Int, secret: Int @tag(name: "internal")) on FIELD`;
    const { supergraphSdl } = composeContract(composed(sdl), filterOf('{ exclude: [internal] }'));
    expect(
      apiSchemaOf(supergraphSdl ?? '')
        .getDirective('trial')
        ?.args.map(({ name }) => name),
    ).toEqual(['open']);
  });

  it('keeps the types of the arguments of a composed directive, which no operation meets', () => {
    const sdl = `${shop.sdl.replace('"@tag"]', '"@tag", "@composeDirective"]')}
      extend schema @link(url: "https://shop.example/hint/v1.0", import: ["@hint"]) @composeDirective(name: "@hint")
      directive @hint(scope: Scope, by: By) on FIELD_DEFINITION
      enum Scope { ALL }
      input By { unit: Unit }
      enum Unit { DAY }
      extend type Product { size: Int @hint(scope: ALL) }`;
    const { supergraphSdl, errors } = composeContract(composed(sdl), filterOf('{ exclude: [internal] }'));
    expect(errors).toBeUndefined();
    expect(fieldsOf(supergraphSdl)).toEqual([
      'By.unit',
      'Product.id',
      'Product.name',
      'Product.size',
      'Query.product',
    ]);
  });

  it.each([
    ['{ exclude: [ratings] }', ['Book.id', 'Query.book']],
    ['{ include: [shop, ratings] }', ['Book.id', 'Book.rating', 'Media.id', 'Media.rating', 'Query.book']],
  ])('has the tags of an interface object at the fields that it adds to types: %s', (filter, fields) => {
    const { supergraphSdl = '' } = composeSupergraph([
      { ...shop, sdl: media },
      { ...shop, name: 'ratings', sdl: ratings },
    ]);
    expect(fieldsOf(composeContract(supergraphSdl, filterOf(filter)).supergraphSdl)).toEqual(fields);
  });

  it('names the fields that return a hidden type', () => {
    expect(contract('{ exclude: [goods] }').errors).toEqual([
      expect.objectContaining({
        code: 'REFERENCED_INACCESSIBLE',
        message: expect.stringContaining('"Query.product"'),
      }),
    ]);
  });

  it.each([
    ['{}', 'it has no contracts'],
    ['contracts: [', 'Cannot read contracts.yaml: '],
    ['contracts: { "a/b": { include: [x] } }', '"a/b" is not a name of a contract'],
    ['contracts: { a: { } }', 'contract a includes and excludes no tag'],
    [
      'contracts: { a: { includes: [x] } }',
      'contract a has "includes", which is not one of include, exclude and',
    ],
    ['contracts: { a: { include: x } }', 'contract a has include: "x", which takes a list of tags'],
    ['contracts: { a: { include: ["x y"] } }', 'contract a has the tag "x y"'],
    ['contracts: { a: { include: [x], exclude: [x] } }', 'contract a includes and excludes x'],
    ['contracts: { a: { include: [x], hide_unreachable_types: 1 } }', 'which takes true or false'],
  ])('of a faulty file is refused: %s', (text, message) => {
    expect(() => readContracts('contracts.yaml', text)).toThrow(message);
  });
});

const shop = {
  name: 'shop',
  routingUrl: 'http://127.0.0.1/shop',
  sdl: `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@tag"])
    type Query {
      product: Product @tag(name: "shop")
      suppliers: [Supplier] @tag(name: "internal")
    }
    type Product @key(fields: "id") @tag(name: "goods") {
      id: ID!
      name: String @tag(name: "shop")
      cost: Int @tag(name: "shop") @tag(name: "internal")
    }
    type Supplier @tag(name: "partner") { id: ID! }`,
};

const link = `extend schema @link(
  url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@tag", "@interfaceObject"]
)`;
const media = `${link}
  type Query { book: Book @tag(name: "shop") }
  interface Media @key(fields: "id") { id: ID! }
  type Book implements Media @key(fields: "id") { id: ID! @tag(name: "shop") }`;
const ratings = `${link}
  type Media @key(fields: "id") @interfaceObject @tag(name: "ratings") { id: ID!  rating: Int }`;

function contract(filter: string): ReturnType<typeof composeContract> {
  return composeContract(composed(shop.sdl), filterOf(filter));
}

function composed(sdl: string): string {
  const { supergraphSdl = '', errors } = composeSupergraph([{ ...shop, sdl }]);
  expect(errors).toBeUndefined();
  return supergraphSdl;
}

function filterOf(text: string): ContractFilter {
  const [filter] = readContracts('contracts.yaml', `contracts: { one: ${text} }`).values();
  if (filter === undefined) {
    throw new Error('There is no contract');
  }
  return filter;
}

function fieldsOf(supergraphSdl = ''): readonly string[] {
  const schema = apiSchemaOf(supergraphSdl);
  return Object.values(schema.getTypeMap())
    .filter((type) => 'getFields' in type && !type.name.startsWith('__'))
    .flatMap((type) =>
      'getFields' in type ? Object.keys(type.getFields()).map((name) => `${type.name}.${name}`) : [],
    )
    .toSorted();
}
