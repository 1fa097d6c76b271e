// Changes that a team might make to the repository's own graph: harmful ones are caught with the operation and the
// client, harmless ones pass. One file, so that it shows that each of the 35 harmful changes which a team tried (issue
// 15) is planted.
import { describe, expect, it } from '@jest/globals';
import type { ChangeKind } from '../src/changes/kinds.ts';

import type { ClientOperation } from '../src/read/read-manifests.ts';
import type { Edit, Edits } from './support/shipped-graph.ts';
import { checkEdits, edits, graphWith, listed, replacing, shippedGraph } from './support/shipped-graph.ts';

/**
 * The harmful changes that a team tried (issue 15), by their rows there: all but those that harmed nobody (03a, 06a,
 * 15b, 21). `a` and
 * `b` of 02, 10 and 17 are the two changes of such a row.
 */
const rows =
  '01 02a 02b 03b 03c 04 05a 05b 06b 07 08a 08b 09 10a 10b 11 12 13 14 14b 15a 16a 16b 16c 16d 17a 17b 18 19 20 22 23 24 25 26'.split(
    ' ',
  );

/** A change, its row or `-`, the kind that names it, its coordinate and an operation that it hits. */
type Planted = readonly [
  row: string,
  change: string,
  edits: Edits,
  kind: ChangeKind,
  coordinate: string,
  operation: string,
  verdict?: 'fails' | 'undecided',
];

function adding(definition: string): Edit {
  return (sdl) => `${sdl}\n${definition}\n`;
}

/** Removes a field that is written on one line, with the description before it. */
function without(field: string): Edit {
  return replacing(new RegExp(` {2}"[^"]*"\\n {2}${field}:[^\\n]*\\n`, 'u'), '');
}

const harmful: readonly Planted[] = [
  [
    '02a',
    'a used field is removed',
    { reviews: without('averageRating') },
    'FIELD_REMOVED',
    'Product.averageRating',
    'TopProducts',
  ],
  [
    '01',
    'a used field is renamed',
    { products: replacing('priceMinorUnits: Int! @', 'price: Int! @') },
    'FIELD_REMOVED',
    'Product.priceMinorUnits',
    'TopProducts',
  ],
  [
    '18',
    'a used root field is removed',
    { users: replacing('me: User', 'myself: User') },
    'FIELD_REMOVED',
    'Query.me',
    'Me',
  ],
  [
    '18',
    'a used mutation is removed',
    { orders: replacing('cancelOrder(', 'abandonOrder(') },
    'FIELD_REMOVED',
    'Mutation.cancelOrder',
    'CancelOrder',
  ],
  [
    '03b',
    'a field becomes nullable',
    { products: replacing('name: String!', 'name: String') },
    'FIELD_TYPE_CHANGED',
    'Product.name',
    'ProductDetails',
  ],
  [
    '05a',
    'an integer becomes a float',
    { products: replacing('priceMinorUnits: Int! @', 'priceMinorUnits: Float! @') },
    'FIELD_TYPE_CHANGED',
    'Product.priceMinorUnits',
    'TopProducts',
  ],
  [
    '03b',
    'a list becomes nullable',
    { orders: replacing('lineItems: [LineItem!]!', 'lineItems: [LineItem!]') },
    'FIELD_TYPE_CHANGED',
    'Order.lineItems',
    'OrderDetails',
  ],
  [
    '05b',
    'a scalar becomes an object',
    { reviews: edits(replacing('  rating: Int!', '  rating: Stars!'), adding('type Stars { count: Int! }')) },
    'FIELD_TYPE_CHANGED',
    'Review.rating',
    'ProductDetails',
  ],
  [
    '-',
    'a value becomes a list',
    { orders: replacing('customer: Customer', 'customer: [Customer]') },
    'FIELD_TYPE_CHANGED',
    'Order.customer',
    'OrderDetails',
  ],
  [
    '22',
    'a used type is renamed',
    { orders: replacing(/\bCustomer\b/gu, 'Buyer') },
    'FIELD_TYPE_CHANGED',
    'Order.customer',
    'OrderDetails',
  ],
  [
    '22',
    'an input type is renamed',
    { orders: replacing(/\bLineItemInput\b/gu, 'ItemInput') },
    'TYPE_REMOVED',
    'LineItemInput',
    'PlaceOrder',
  ],
  [
    '19',
    'a used argument is removed',
    {
      products: edits(
        replacing(/\(first: Int! = 10 @pageSize\(max: 100\)\)/u, ''),
        replacing(/@listSize\(slicing[^)]*\)/u, ''),
      ),
    },
    'FIELD_ARGUMENT_REMOVED',
    'Query.topProducts(first:)',
    'TopProducts',
  ],
  [
    '08b',
    'a required argument is added',
    { orders: replacing('cancelOrder(id: ID!', 'cancelOrder(note: String!, id: ID!') },
    'REQUIRED_ARGUMENT_ADDED',
    'Mutation.cancelOrder(note:)',
    'CancelOrder',
  ],
  [
    '03c',
    'an argument becomes required',
    { orders: replacing('customerId: ID\n', 'customerId: ID!\n') },
    'FIELD_ARGUMENT_TYPE_CHANGED',
    'Mutation.placeOrder(customerId:)',
    'PlaceOrder',
  ],
  [
    '-',
    'an argument takes another type',
    { orders: replacing('cancelOrder(id: ID!, reason: String!)', 'cancelOrder(id: ID!, reason: Int!)') },
    'FIELD_ARGUMENT_TYPE_CHANGED',
    'Mutation.cancelOrder(reason:)',
    'CancelOrder',
  ],
  [
    '09',
    'a required input field is added',
    {
      orders: replacing(
        '  quantity: Int!\n  "The price of one that',
        '  quantity: Int!\n  gift: Boolean!\n  "The price of one that',
      ),
    },
    'REQUIRED_INPUT_FIELD_ADDED',
    'LineItemInput.gift',
    'PlaceOrder',
    'undecided',
  ],
  [
    '20',
    'an input field is removed',
    {
      orders: replacing(
        '  "The price of one that the buyer agreed to, in minor currency units, from 0 up."\n  unitPriceMinorUnits: Int!\n',
        '',
      ),
    },
    'INPUT_FIELD_REMOVED',
    'LineItemInput.unitPriceMinorUnits',
    'PlaceOrder',
    'undecided',
  ],
  [
    '-',
    'an input field takes another type',
    { orders: replacing('  "How many, from 1 to 1000."\n  quantity: Int!', '  quantity: String!') },
    'INPUT_FIELD_TYPE_CHANGED',
    'LineItemInput.quantity',
    'PlaceOrder',
    'undecided',
  ],
  [
    '-',
    'a list of inputs becomes one input',
    { orders: replacing('items: [LineItemInput!]!', 'items: LineItemInput!') },
    'FIELD_ARGUMENT_TYPE_CHANGED',
    'Mutation.placeOrder(items:)',
    'PlaceOrder',
  ],
  [
    '04',
    'an enum value is removed',
    { orders: replacing('  "Arrived."\n  DELIVERED\n', '') },
    'ENUM_VALUE_REMOVED',
    'OrderStatus.DELIVERED',
    'OrderDetails',
  ],
  [
    '13',
    'a used field becomes @inaccessible',
    {
      orders: edits(
        replacing('createdAt: DateTime!\n  "What', 'createdAt: DateTime! @inaccessible\n  "What'),
        replacing('"@cost"', '"@cost"\n      "@inaccessible"'),
      ),
    },
    'FIELD_REMOVED',
    'Order.createdAt',
    'OrderDetails',
  ],
  [
    '02b',
    'a used nullable field is removed',
    { orders: without('customer') },
    'FIELD_REMOVED',
    'Order.customer',
    'OrderDetails',
  ],
  [
    '16a',
    'a used field needs a scope',
    {
      reviews: replacing(
        'averageRating: Float ',
        'averageRating: Float @requiresScopes(scopes: [["reviews:read"]]) ',
      ),
    },
    'AUTHORIZATION_TIGHTENED',
    'Product.averageRating',
    'TopProducts',
  ],
  [
    '16a',
    'a field needs one more scope',
    {
      orders: replacing(
        'order(id: ID!): Order @requiresScopes(scopes: [["orders:read"]])',
        'order(id: ID!): Order @requiresScopes(scopes: [["orders:read", "orders:audit"]])',
      ),
    },
    'AUTHORIZATION_TIGHTENED',
    'Query.order',
    'OrderDetails',
  ],
  [
    '16b',
    'a mutation loses its scope',
    {
      orders: replacing(
        'cancelOrder(id: ID!, reason: String!): Order @requiresScopes(scopes: [["orders:write"]])',
        'cancelOrder(id: ID!, reason: String!): Order',
      ),
    },
    'AUTHORIZATION_LOOSENED',
    'Mutation.cancelOrder',
    'CancelOrder',
  ],
  [
    '16b',
    'a scope has an alternative',
    { products: replacing('[["products:write"]]', '[["products:write"], ["products:admin"]]') },
    'AUTHORIZATION_LOOSENED',
    'Mutation.setProductPrice',
    'SetProductPrice',
  ],
  [
    '16b',
    'an authenticated field is public',
    { users: replacing('me: User @authenticated', 'me: User') },
    'AUTHORIZATION_LOOSENED',
    'Query.me',
    'Me',
  ],
  [
    '-',
    'a private hint becomes public',
    {
      users: replacing(
        '@cacheControl(maxAge: 300, scope: PRIVATE)',
        '@cacheControl(maxAge: 300, scope: PUBLIC)',
      ),
    },
    'CACHE_SCOPE_WIDENED',
    'User',
    'Me',
  ],
  [
    '-',
    'a hint loses its scope',
    {
      products: replacing(
        'priceMinorUnits: Int! @cacheControl(maxAge: 10, scope: PRIVATE)',
        'priceMinorUnits: Int! @cacheControl(maxAge: 10)',
      ),
    },
    'CACHE_SCOPE_WIDENED',
    'Product.priceMinorUnits',
    'TopProducts',
  ],
  [
    '22',
    'a used entity is renamed',
    { reviews: replacing(/\bReview\b/gu, 'Rating') },
    'FIELD_TYPE_CHANGED',
    'Product.reviews',
    'ProductDetails',
  ],
];

/** A harmful change that needs more than an edit of a schema, or passes with a warning. */
interface PlantedFurther {
  readonly row: string;
  readonly change: string;
  readonly kind: ChangeKind;
  readonly coordinate: string;
  readonly operation: string;
  /**
   * True for one that is reported as dangerous, and passes: but for the costs and pages of operations, of which
   * plans.test.ts is.
   */
  readonly isDangerous?: boolean;
  /** The graph before, in place of the repository's own. */
  readonly before?: Edits;
  /** Default: none. */
  readonly edits?: Edits;
  /** The text of one more operation of the manifest. */
  readonly more?: string;
  /** Edits the manifest too. */
  readonly editListed?: (operation: ClientOperation) => readonly ClientOperation[];
}

const places = adding(`
  interface Place { id: ID! }
  type Depot implements Place { id: ID! }
  type Shop implements Place { id: ID! }
  union Found = Depot | Shop
  extend type Query { place: Place found: Found }
`);
const findPlaces = 'query More { place { id ... on Depot { id } } found { ... on Depot { id } } }';
const topByDefault = 'query More { topProducts { id } }';
const withGift = replacing('input LineItemInput {', 'input LineItemInput {\n  gift: Boolean = false');

const further: readonly PlantedFurther[] = [
  {
    row: '08a',
    change: 'an argument loses its default',
    kind: 'FIELD_ARGUMENT_DEFAULT_CHANGED',
    coordinate: 'Query.topProducts(first:)',
    operation: 'More',
    isDangerous: true,
    before: { products: replacing('first: Int! = 10', 'first: Int = 10') },
    edits: { products: replacing('first: Int! = 10', 'first: Int') },
    more: topByDefault,
  },
  {
    row: '10a',
    change: 'an argument has another default',
    kind: 'FIELD_ARGUMENT_DEFAULT_CHANGED',
    coordinate: 'Query.topProducts(first:)',
    operation: 'More',
    isDangerous: true,
    edits: { products: replacing('first: Int! = 10', 'first: Int! = 11') },
    more: topByDefault,
  },
  {
    row: '10b',
    change: 'an input field has another default',
    kind: 'INPUT_FIELD_DEFAULT_CHANGED',
    coordinate: 'LineItemInput.gift',
    operation: 'PlaceOrder',
    isDangerous: true,
    before: { orders: withGift },
    edits: { orders: edits(withGift, replacing('gift: Boolean = false', 'gift: Boolean = true')) },
  },
  {
    row: '11',
    change: 'a type leaves an interface',
    kind: 'OBJECT_TYPE_INTERFACE_REMOVED',
    coordinate: 'Depot',
    operation: 'More',
    before: { products: places },
    edits: { products: edits(places, replacing('type Depot implements Place', 'type Depot')) },
    more: findPlaces,
  },
  {
    row: '12',
    change: 'a union loses a member',
    kind: 'UNION_MEMBER_REMOVED',
    coordinate: 'Found',
    operation: 'More',
    before: { products: places },
    edits: { products: edits(places, replacing('Found = Depot | Shop', 'Found = Shop')) },
    more: findPlaces,
  },
  {
    row: '14',
    change: 'a field moves to another subgraph',
    kind: 'FIELD_MOVED',
    coordinate: 'Product.averageRating',
    operation: 'ProductDetails',
    isDangerous: true,
    edits: {
      users: edits(
        adding('type Product @key(fields: "id") { id: ID! averageRating: Float @override(from: "reviews") }'),
        replacing('"@key", ', '"@key", "@override", '),
      ),
    },
  },
  {
    row: '14b',
    change: 'a field moves to another subgraph, and the old one drops it at once',
    kind: 'FIELD_MOVED',
    coordinate: 'Product.averageRating',
    operation: 'ProductDetails',
    isDangerous: true,
    edits: {
      users: adding('type Product @key(fields: "id") { id: ID! averageRating: Float }'),
      reviews: without('averageRating'),
    },
  },
  {
    row: '15a',
    change: 'a deprecated field is removed, and used',
    kind: 'FIELD_REMOVED',
    coordinate: 'Order.cancellationReason',
    operation: 'More',
    edits: { orders: without('cancellationReason') },
    more: 'query More($id: ID!) { order(id: $id) { cancellationReason } }',
  },
  {
    row: '16c',
    change: 'a field takes smaller pages only',
    kind: 'PAGE_SIZE_LOWERED',
    coordinate: 'Query.topProducts(first:)',
    operation: 'TopProducts',
    isDangerous: true,
    edits: { products: replacing('@pageSize(max: 100)', '@pageSize(max: 10)') },
  },
  {
    row: '16d',
    change: 'a used field costs more',
    kind: 'COST_CHANGED',
    coordinate: 'Order.recommendations',
    operation: 'OrderDetails',
    isDangerous: true,
    edits: { orders: replacing('@cost(weight: 5)', '@cost(weight: 500)') },
  },
  {
    row: '17a',
    change: 'an enum has another value',
    kind: 'ENUM_VALUE_ADDED',
    coordinate: 'OrderStatus.RETURNED',
    operation: 'OrderDetails',
    isDangerous: true,
    edits: { orders: replacing('  "Arrived."', '  RETURNED\n  "Arrived."') },
  },
  {
    row: '17b',
    change: 'a union has another member',
    kind: 'UNION_MEMBER_ADDED',
    coordinate: 'Found',
    operation: 'More',
    isDangerous: true,
    before: { products: places },
    edits: { products: edits(places, replacing('Found = Depot | Shop', 'Found = Depot | Shop | Product')) },
    more: findPlaces,
  },
  {
    row: '23',
    change: 'a field is renamed, and the operations with it',
    kind: 'IDENTIFIER_REMOVED',
    coordinate: 'operation TopProducts',
    operation: 'TopProducts',
    edits: { products: replacing('priceMinorUnits: Int! @', 'price: Int! @') },
    editListed: (operation) => [renamedIn(operation, 'priceMinorUnits', 'price')],
  },
  {
    row: '24',
    change: 'the text of an operation changes',
    kind: 'IDENTIFIER_REMOVED',
    coordinate: 'operation Me',
    operation: 'Me',
    editListed: (operation) => [operation.name === 'Me' ? renamedIn(operation, 'name', '') : operation],
  },
  {
    row: '25',
    change: 'an operation is deleted',
    kind: 'IDENTIFIER_REMOVED',
    coordinate: 'operation CancelOrder',
    operation: 'CancelOrder',
    editListed: (operation) => (operation.name === 'CancelOrder' ? [] : [operation]),
  },
  {
    row: '26',
    change: 'a field requires another',
    kind: 'REQUIRES_CHANGED',
    coordinate: 'Product.averageRating',
    operation: 'ProductDetails',
    isDangerous: true,
    edits: {
      reviews: edits(
        replacing('averageRating: Float ', 'averageRating: Float @requires(fields: "weightGrams") '),
        replacing(
          'type Product @key(fields: "id") {',
          'type Product @key(fields: "id") {\n  weightGrams: Int! @external',
        ),
        replacing('"@key", ', '"@key", "@requires", "@external", '),
      ),
    },
  },
];

/** An operation with another text, hence another identifier. */
function renamedIn(operation: ClientOperation, name: string, other: string): ClientOperation {
  const text = operation.text.replaceAll(new RegExp(`\\b${name}\\b`, 'gu'), other);
  return text === operation.text ? operation : { ...operation, text, id: `${operation.id}-${other}` };
}

/** Changes that do not compose: the messages name the field. */
const uncomposable: readonly (readonly [row: string, change: string, edits: Edits, message: RegExp])[] = [
  [
    '06b',
    'an entity loses its key',
    { products: replacing('type Product @key(fields: "id")', 'type Product') },
    /Product\.id/u,
  ],
  [
    '07',
    'a shared field is no longer @shareable',
    { users: replacing('subject: String @shareable', 'subject: String') },
    /User\.subject/u,
  ],
];

/** Changes that hit no operation, or hurt none. */
const harmless: readonly (readonly [change: string, edits: Edits, kind: ChangeKind | undefined])[] = [
  [
    'a field is added',
    { products: replacing('  name: String!', '  name: String!\n  colour: String') },
    'FIELD_ADDED',
  ],
  [
    'a type is added',
    {
      orders: edits(
        replacing('  status: OrderStatus!', '  status: OrderStatus!\n  parcel: Parcel'),
        adding('type Parcel { code: ID! }'),
      ),
    },
    'TYPE_ADDED',
  ],
  [
    'an optional argument is added',
    { orders: replacing('orders(first: Int', 'orders(since: DateTime, first: Int') },
    'FIELD_ARGUMENT_ADDED',
  ],
  [
    'an optional input field is added',
    { orders: replacing('input LineItemInput {', 'input LineItemInput {\n  note: String') },
    'INPUT_FIELD_ADDED',
  ],
  [
    'a field is deprecated',
    { products: replacing('  name: String!', '  name: String! @deprecated(reason: "Use title.")') },
    'DEPRECATION_ADDED',
  ],
  [
    'an unused field is removed',
    {
      orders: replacing(
        / {2}"Why the order was cancelled, or null when it was not\."\n {2}cancellationReason[^\n]*\n/u,
        '',
      ),
    },
    'FIELD_REMOVED',
  ],
  [
    'a field promises more',
    { reviews: replacing('averageRating: Float ', 'averageRating: Float! ') },
    'FIELD_TYPE_CHANGED',
  ],
  [
    'an argument takes more',
    { orders: replacing('cancelOrder(id: ID!, reason: String!)', 'cancelOrder(id: ID!, reason: String)') },
    'FIELD_ARGUMENT_TYPE_CHANGED',
  ],
  [
    'a description changes',
    { products: replacing('"The name that it is sold under."', '"Its name."') },
    undefined,
  ],
  [
    'a key is added',
    {
      products: replacing(
        'type Product @key(fields: "id")',
        'type Product @key(fields: "id") @key(fields: "name")',
      ),
    },
    'KEY_ADDED',
  ],
  [
    'an enum value is added',
    { orders: replacing('  "Arrived."', '  RETURNED\n  "Arrived."') },
    'ENUM_VALUE_ADDED',
  ],
];

describe('A planted change', () => {
  it.each(harmful)(
    '(%s) is caught, with operation and client, when %s',
    async (_row, _change, edits, kind, coordinate, operation, verdict = 'fails') => {
      const report = await checkEdits(edits);
      const found = report.changes.find((change) => change.kind === kind && change.coordinate === coordinate);
      expect({ report: report.verdict === 'passes', verdict: found?.verdict }).toEqual({
        report: false,
        verdict: expect.stringMatching(verdict === 'fails' ? /^fails$/u : /^(?:fails|undecided)$/u),
      });
      expect(found?.operations).toContainEqual(
        expect.objectContaining({
          name: operation,
          clients: [expect.objectContaining({ name: 'storefront' })],
        }),
      );
      expect(found?.places[0]).toMatchObject({
        owners: [expect.stringMatching(/^@meridian\//u)],
        line: expect.any(Number),
      });
    },
  );

  it.each(further)('($row) is caught, with operation and client, when $change', async (planted) => {
    const { kind, coordinate, operation, isDangerous = false, before, edits: changed, more } = planted;
    const moreListed =
      more === undefined
        ? []
        : [
            {
              id: 'more',
              name: 'More',
              text: more,
              clientName: undefined,
              client: 'storefront',
              versions: [],
            },
          ];
    const report = await checkEdits(
      {},
      {
        sides: {
          before: before ? graphWith(before) : shippedGraph,
          after: changed ? graphWith(changed) : shippedGraph,
        },
        listedBefore: [...listed, ...moreListed],
        listedAfter: [...listed.flatMap(planted.editListed ?? ((same) => [same])), ...moreListed],
      },
    );
    const found = report.changes.find((change) => change.kind === kind && change.coordinate === coordinate);
    expect(found).toMatchObject(
      isDangerous ? { level: 'dangerous', verdict: 'passes' } : { verdict: 'fails' },
    );
    expect(found?.operations).toContainEqual(
      expect.objectContaining({
        name: operation,
        clients: [expect.objectContaining({ name: 'storefront' })],
      }),
    );
  });

  it.each(uncomposable)('(%s) does not compose when %s', (_row, _change, edits, message) => {
    expect(() => graphWith(edits)).toThrow(message);
  });

  it('is planted for each harmful change that a team tried', () => {
    const planted = new Set([
      ...harmful.map(([row]) => row),
      ...further.map(({ row }) => row),
      ...uncomposable.map(([row]) => row),
    ]);
    planted.delete('-');
    expect([...planted].toSorted()).toEqual(rows);
    expect(rows).toHaveLength(35);
  });

  it.each(harmless)('passes when %s', async (_change, edits, kind) => {
    const { verdict, changes } = await checkEdits(edits);
    expect(verdict).toBe('passes');
    expect(changes.map((change) => change.kind)).toEqual(
      expect.arrayContaining(kind === undefined ? [] : [kind]),
    );
  });
});
