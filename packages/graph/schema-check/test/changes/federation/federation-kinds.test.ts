// Every kind of change to how subgraphs resolve the graph, and to what the gateway reads of it: nobody's API schema
// changes.
import { describe, expect, it } from '@jest/globals';
import type { ChangeKind, Level } from '../../../src/changes/kinds.ts';
import { compareGraphs } from '../../../src/changes/compare-graphs.ts';

import type { Definitions } from '../../support/small-graph.ts';
import { smallGraph } from '../../support/small-graph.ts';

const catalog = `type Query { product: Product @cost(weight: 2) products(first: Int): [Product] @listSize(assumedSize: 5) }
  type Product @key(fields: "id") @key(fields: "sku") { id: ID! sku: ID! name: String! @shareable weight: Int @shareable price: Int }
  interface Media @key(fields: "id") { id: ID! title: String }
  type Book implements Media @key(fields: "id") { id: ID! title: String }`;
const stock = `type Product @key(fields: "id") { id: ID! weight: Int @external delay: Int @requires(fields: "weight") stock: Int }
  type Query { stocked: Product }`;
const base: Definitions = { catalog, stock };

type Row = readonly [
  kind: ChangeKind,
  coordinate: string,
  level: Level,
  before: Definitions,
  after: Definitions,
];

function inStock(text: string, other: string, { stock: sdl = '' } = base): Definitions {
  return { catalog, stock: replaced(sdl, text, other) };
}

function inCatalog(text: string, other: string): Definitions {
  return { catalog: replaced(catalog, text, other), stock };
}

function replaced(sdl: string, text: string, other: string): string {
  if (!sdl.includes(text)) {
    throw new Error(`${text} is not in the schema`);
  }
  return sdl.replace(text, other);
}

const secondKey = inStock(
  '@key(fields: "id") { id: ID!',
  '@key(fields: "id") @key(fields: "sku") { id: ID! sku: ID!',
);
const requiring = inStock('stock: Int }', 'stock: Int @requires(fields: "weight") }');
const moved = inStock(
  'weight: Int @external delay',
  'weight: Int @external price: Int @override(from: "catalog") delay',
);
const movedLater = inStock(
  'weight: Int @external delay',
  'weight: Int @external price: Int @override(from: "catalog", label: "percent(5)") delay',
);
const shared = inStock('weight: Int @external', 'weight: Int @external name: String! @shareable');
const resolvedTwice = inStock('@external delay: Int @requires(fields: "weight")', '@shareable delay: Int');
const requiringPrice = inStock(
  'stock: Int }',
  'stock: Int @requires(fields: "price") price: Int @external }',
);
const bothDelays = {
  catalog,
  stock: replaced(stock, 'fields: "weight")', 'fields: "weight") @shareable'),
  depot:
    'type Product @key(fields: "id") { id: ID! price: Int @external delay: Int @requires(fields: "price") @shareable }',
};
const withDepot = { ...base, depot: 'type Product @key(fields: "id") { id: ID! }' };
const resolvedOnce = { ...bothDelays, depot: 'type Product @key(fields: "id") { id: ID! }' };
const media = inStock(
  'type Query',
  'type Media @key(fields: "id") @interfaceObject { id: ID! views: Int } type Query',
);
const guarded = inCatalog('price: Int', 'price: Int @requiresScopes(scopes: [["a"]])');
const guardedMore = inCatalog('price: Int', 'price: Int @requiresScopes(scopes: [["a", "b"]])');
const guardedEither = inCatalog('price: Int', 'price: Int @requiresScopes(scopes: [["a"], ["b"]])');
const authenticated = inCatalog('price: Int', 'price: Int @authenticated');
const policed = inCatalog('price: Int', 'price: Int @policy(policies: [["p"]])');
const hidden = inCatalog('price: Int', 'price: Int @inaccessible');
const tagged = inCatalog('price: Int', 'price: Int @tag(name: "internal")');

const rows: readonly Row[] = [
  ['KEY_ADDED', 'Product', 'safe', base, secondKey],
  ['KEY_REMOVED', 'Product', 'dangerous', secondKey, base],
  [
    'KEY_RESOLVABLE_CHANGED',
    'Product',
    'dangerous',
    secondKey,
    inStock('@key(fields: "sku")', '@key(fields: "sku", resolvable: false)', secondKey),
  ],
  ['REQUIRES_CHANGED', 'Product.stock', 'dangerous', base, requiring],
  ['REQUIRES_CHANGED', 'Product.stock', 'dangerous', requiring, base],
  [
    'PROVIDES_CHANGED',
    'Query.stocked',
    'dangerous',
    requiring,
    inStock('stocked: Product', 'stocked: Product @provides(fields: "weight")', requiring),
  ],
  ['OVERRIDE_CHANGED', 'Product.price', 'dangerous', movedLater, moved],
  ['FIELD_MOVED', 'Product.price', 'dangerous', base, moved],
  ['FIELD_RESOLVER_ADDED', 'Product.name', 'safe', base, shared],
  ['EXTERNAL_CHANGED', 'Product.weight', 'safe', base, resolvedTwice],
  ['FIELD_RESOLVER_REMOVED', 'Product.name', 'dangerous', shared, base],
  ['SHAREABLE_ADDED', 'Product.price', 'safe', base, inCatalog('price: Int', 'price: Int @shareable')],
  ['SHAREABLE_REMOVED', 'Product.price', 'safe', inCatalog('price: Int', 'price: Int @shareable'), base],
  [
    'INTERFACE_OBJECT_ADDED',
    'Media',
    'dangerous',
    inStock(
      'type Media @key(fields: "id") @interfaceObject { id: ID! views: Int }',
      'interface Media @key(fields: "id") { id: ID! views: Int } type Book implements Media @key(fields: "id") { id: ID! views: Int }',
      media,
    ),
    media,
  ],
  ['TYPE_JOINED', 'Media', 'safe', base, media],
  ['TYPE_LEFT', 'Media', 'dangerous', media, base],
  ['INACCESSIBLE_ADDED', 'Product.price', 'safe', base, hidden],
  ['INACCESSIBLE_REMOVED', 'Product.price', 'security', hidden, base],
  [
    'INACCESSIBLE_REMOVED',
    'Product.price',
    'dangerous',
    inCatalog('price: Int', 'price: Int @authenticated @inaccessible'),
    authenticated,
  ],
  [
    'INACCESSIBLE_REMOVED',
    'Query.products(first:)',
    'dangerous',
    inCatalog('(first: Int)', '(first: Int @inaccessible)'),
    base,
  ],
  ['FIELD_REMOVED', 'Product.price', 'breaking', base, hidden],
  ['FIELD_ADDED', 'Product.price', 'safe', hidden, base],
  ['TAG_ADDED', 'Product.price', 'dangerous', base, tagged],
  ['TAG_REMOVED', 'Product.price', 'dangerous', tagged, base],
  ['AUTHORIZATION_TIGHTENED', 'Product.price', 'breaking', base, guarded],
  ['AUTHORIZATION_TIGHTENED', 'Product.price', 'breaking', guarded, guardedMore],
  ['AUTHORIZATION_TIGHTENED', 'Product.price', 'breaking', base, authenticated],
  ['AUTHORIZATION_TIGHTENED', 'Product.price', 'breaking', base, policed],
  ['AUTHORIZATION_LOOSENED', 'Product.price', 'security', guarded, base],
  ['AUTHORIZATION_LOOSENED', 'Product.price', 'security', guardedMore, guarded],
  ['AUTHORIZATION_LOOSENED', 'Product.price', 'security', authenticated, base],
  ['AUTHORIZATION_LOOSENED', 'Product.price', 'security', policed, base],
  ['AUTHORIZATION_LOOSENED', 'Product.price', 'security', guardedMore, guardedEither],
  ['COST_CHANGED', 'Query.product', 'dangerous', base, inCatalog('@cost(weight: 2)', '@cost(weight: 9)')],
  ['LIST_SIZE_CHANGED', 'Query.products', 'dangerous', base, inCatalog('assumedSize: 5', 'assumedSize: 50')],
  ['SUBGRAPH_ADDED', 'subgraph reviews', 'safe', base, { ...base, reviews: 'type Query { reviews: Int }' }],
  [
    'SUBGRAPH_REMOVED',
    'subgraph reviews',
    'dangerous',
    { ...base, reviews: 'type Query { reviews: Int }' },
    base,
  ],
];

describe('A change of federation', () => {
  it.each(rows)('has the kind %s at %s, and the level %s', (kind, coordinate, level, before, after) => {
    expect(compareGraphs(smallGraph(before), smallGraph(after))).toContainEqual(
      expect.objectContaining({ kind, coordinate, level }),
    );
  });

  it('has the kind ROUTING_URL_CHANGED for another URL of a subgraph', () => {
    const after = smallGraph(base, { stock: 'https://stock.example' });
    expect(compareGraphs(smallGraph(base), after)).toEqual([
      expect.objectContaining({
        kind: 'ROUTING_URL_CHANGED',
        coordinate: 'subgraph stock',
        level: 'dangerous',
        before: 'http://127.0.0.1/stock',
        after: 'https://stock.example',
      }),
    ]);
  });

  it.each([
    [
      'a field that a subgraph declares as @external for a @requires',
      base,
      requiringPrice,
      ['REQUIRES_CHANGED Product.stock'],
    ],
    [
      'a field that leaves a subgraph, but for that',
      bothDelays,
      resolvedOnce,
      ['FIELD_RESOLVER_REMOVED Product.delay'],
    ],
    ['a subgraph that comes, but for that', base, withDepot, ['SUBGRAPH_ADDED subgraph depot']],
    ['a subgraph that goes, but for that', withDepot, base, ['SUBGRAPH_REMOVED subgraph depot']],
  ])('is none of %s', (_part, before, after, changes) => {
    const found = compareGraphs(smallGraph(before), smallGraph(after));
    expect(found.map(({ kind, coordinate }) => `${kind} ${coordinate}`)).toEqual(changes);
  });

  it('is none where only the order of definitions differs', () => {
    const [query = '', ...others] = stock.split('\n').toReversed();
    expect(
      compareGraphs(smallGraph(base), smallGraph({ catalog, stock: [query, ...others].join('\n') })),
    ).toEqual([]);
  });
});
