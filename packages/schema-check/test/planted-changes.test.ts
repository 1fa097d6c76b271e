// Changes that a team might make to the repository's own graph: harmful ones are caught with the operation and the client, harmless
// ones pass.
import { describe, expect, it } from '@jest/globals';
import type { ChangeKind } from '@meridian/schema-changes';

import type { Edit, Edits } from './support/shipped-graph.ts';
import { checkEdits, edits, replacing } from './support/shipped-graph.ts';

/** A change, the kind that names it, its coordinate and an operation that it hits. */
type Planted = readonly [
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
    'a used field is removed',
    { reviews: without('averageRating') },
    'FIELD_REMOVED',
    'Product.averageRating',
    'TopProducts',
  ],
  [
    'a used field is renamed',
    { products: replacing('priceMinorUnits: Int! @', 'price: Int! @') },
    'FIELD_REMOVED',
    'Product.priceMinorUnits',
    'TopProducts',
  ],
  [
    'a used root field is removed',
    { users: replacing('me: User', 'myself: User') },
    'FIELD_REMOVED',
    'Query.me',
    'Me',
  ],
  [
    'a used mutation is removed',
    { orders: replacing('cancelOrder(', 'abandonOrder(') },
    'FIELD_REMOVED',
    'Mutation.cancelOrder',
    'CancelOrder',
  ],
  [
    'a field becomes nullable',
    { products: replacing('name: String!', 'name: String') },
    'FIELD_TYPE_CHANGED',
    'Product.name',
    'ProductDetails',
  ],
  [
    'an integer becomes a float',
    { products: replacing('priceMinorUnits: Int! @', 'priceMinorUnits: Float! @') },
    'FIELD_TYPE_CHANGED',
    'Product.priceMinorUnits',
    'TopProducts',
  ],
  [
    'a list becomes nullable',
    { orders: replacing('lineItems: [LineItem!]!', 'lineItems: [LineItem!]') },
    'FIELD_TYPE_CHANGED',
    'Order.lineItems',
    'OrderDetails',
  ],
  [
    'a scalar becomes an object',
    { reviews: edits(replacing('  rating: Int!', '  rating: Stars!'), adding('type Stars { count: Int! }')) },
    'FIELD_TYPE_CHANGED',
    'Review.rating',
    'ProductDetails',
  ],
  [
    'a value becomes a list',
    { orders: replacing('customer: Customer', 'customer: [Customer]') },
    'FIELD_TYPE_CHANGED',
    'Order.customer',
    'OrderDetails',
  ],
  [
    'a used type is renamed',
    { orders: replacing(/\bCustomer\b/gu, 'Buyer') },
    'FIELD_TYPE_CHANGED',
    'Order.customer',
    'OrderDetails',
  ],
  [
    'an input type is renamed',
    { orders: replacing(/\bLineItemInput\b/gu, 'ItemInput') },
    'TYPE_REMOVED',
    'LineItemInput',
    'PlaceOrder',
  ],
  [
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
    'a required argument is added',
    { orders: replacing('cancelOrder(id: ID!', 'cancelOrder(note: String!, id: ID!') },
    'REQUIRED_ARGUMENT_ADDED',
    'Mutation.cancelOrder(note:)',
    'CancelOrder',
  ],
  [
    'an argument becomes required',
    { orders: replacing('customerId: ID\n', 'customerId: ID!\n') },
    'FIELD_ARGUMENT_TYPE_CHANGED',
    'Mutation.placeOrder(customerId:)',
    'PlaceOrder',
  ],
  [
    'an argument takes another type',
    { orders: replacing('cancelOrder(id: ID!, reason: String!)', 'cancelOrder(id: ID!, reason: Int!)') },
    'FIELD_ARGUMENT_TYPE_CHANGED',
    'Mutation.cancelOrder(reason:)',
    'CancelOrder',
  ],
  [
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
    'an input field takes another type',
    { orders: replacing('  "How many, from 1 to 1000."\n  quantity: Int!', '  quantity: String!') },
    'INPUT_FIELD_TYPE_CHANGED',
    'LineItemInput.quantity',
    'PlaceOrder',
    'undecided',
  ],
  [
    'a list of inputs becomes one input',
    { orders: replacing('items: [LineItemInput!]!', 'items: LineItemInput!') },
    'FIELD_ARGUMENT_TYPE_CHANGED',
    'Mutation.placeOrder(items:)',
    'PlaceOrder',
  ],
  [
    'an enum value is removed',
    { orders: replacing('  "Arrived."\n  DELIVERED\n', '') },
    'ENUM_VALUE_REMOVED',
    'OrderStatus.DELIVERED',
    'OrderDetails',
  ],
  [
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
    'a used nullable field is removed',
    { orders: without('customer') },
    'FIELD_REMOVED',
    'Order.customer',
    'OrderDetails',
  ],
  [
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
    'a scope has an alternative',
    { products: replacing('[["products:write"]]', '[["products:write"], ["products:admin"]]') },
    'AUTHORIZATION_LOOSENED',
    'Mutation.setProductPrice',
    'SetProductPrice',
  ],
  [
    'an authenticated field is public',
    { users: replacing('me: User @authenticated', 'me: User') },
    'AUTHORIZATION_LOOSENED',
    'Query.me',
    'Me',
  ],
  [
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
    'a used entity is renamed',
    { reviews: replacing(/\bReview\b/gu, 'Rating') },
    'FIELD_TYPE_CHANGED',
    'Product.reviews',
    'ProductDetails',
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
    'is caught, with operation and client, when %s',
    async (_change, edits, kind, coordinate, operation, verdict = 'fails') => {
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

  it.each(harmless)('passes when %s', async (_change, edits, kind) => {
    const { verdict, changes } = await checkEdits(edits);
    expect(verdict).toBe('passes');
    expect(changes.map((change) => change.kind)).toEqual(
      expect.arrayContaining(kind === undefined ? [] : [kind]),
    );
  });
});
