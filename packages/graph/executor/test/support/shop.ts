// A shop in three subgraphs, and the same shop as one. Its fields take arguments and require each other, and
// where one subgraph promises a value that another does not, the planner renames fields that it could not ask for
// together.
import type { SubgraphDefinition } from './stub-subgraph.ts';

interface ProductRow {
  readonly id: string;
  readonly name: string;
  readonly grams: number;
  readonly cents: number;
  readonly stock: number;
}

const rows: readonly ProductRow[] = [
  { id: 'p1', name: 'Anvil', grams: 5000, cents: 900, stock: 3 },
  { id: 'p2', name: 'Feather', grams: 1000, cents: 10, stock: 0 },
];

const vouchers = [{ id: 'v1', cents: 500 }];

let counter = 0;

const inUnit = (grams: number, unit: string | null | undefined = 'GRAM'): number =>
  unit === 'KILO' ? grams / 1000 : grams;
const inCurrency = (cents: number, currency: string | null | undefined = 'EUR'): number =>
  currency === 'USD' ? cents * 2 : cents;
const rowOf = (id: string): ProductRow | undefined => rows.find((row) => row.id === id);
const bump = (_root: unknown, { by }: { by: number }): number => (counter += by);

const shared = `
  enum Unit { GRAM KILO }
  enum Currency { EUR USD }
`;

/** The values of the computed fields of a product, from their inputs alone. */
const formulas = {
  shipping: (kilos: number, dollars: number, express?: boolean): number =>
    kilos * 10 + dollars + (express ? 1 : 0),
  customs: (grams: number): string => `customs ${grams}`,
  plain: (weight: number): number => -weight,
  packing: (size: number): string => `box ${size}`,
  wrapping: (size: number): string => `paper ${size}`,
  insurance: (estimate: number): number => estimate * 100,
  premium: (estimate: number, stock: number): number => estimate * 100 + stock,
};

const falsy = { count: 0, flag: false, text: '' };

export const shop = {
  products: {
    sdl: `${shared}
      type Query { products: [Product!]!  items: [Item!]! }
      type Mutation { count(by: Int!): Int! }
      interface Item { id: ID!  count: Int }
      type Product implements Item @key(fields: "id") {
        id: ID!
        name: String!
        stock: Int!
        weight(unit: Unit = GRAM): Int!
        price(currency: Currency! = EUR): Int!
        dims: Dims!
        related: [Product!]!
        count: Int! @shareable  flag: Boolean! @shareable  text: String! @shareable
        valueOf: Int!
      }
      type Dims { id: ID!  size(unit: Unit = GRAM): Int! }
      type Voucher implements Item @key(fields: "id") {
        id: ID!
        worth(currency: Currency = EUR): Int!
        goodFor: [Product!]!
        count: Int flag: Boolean text: String
      }
    `,
    resolvers: {
      Query: {
        products: () => rows,
        items: () => [
          ...rows.map((row) => ({ __typename: 'Product', ...row })),
          ...vouchers.map((voucher) => ({ __typename: 'Voucher', ...voucher })),
        ],
      },
      Mutation: { count: bump },
      Product: {
        __resolveReference: ({ id }: { id: string }) => rowOf(id),
        weight: ({ grams }: ProductRow, { unit }: { unit?: string }) => inUnit(grams, unit),
        price: ({ cents }: ProductRow, { currency }: { currency?: string }) => inCurrency(cents, currency),
        dims: ({ id, grams }: ProductRow) => ({ id: `d${id}`, grams }),
        related: () => rows,
        count: () => falsy.count,
        flag: () => falsy.flag,
        text: () => falsy.text,
        valueOf: () => 42,
      },
      Dims: { size: ({ grams }: ProductRow, { unit }: { unit?: string }) => inUnit(grams + 1000, unit) },
      Voucher: {
        worth: ({ cents }: ProductRow, { currency }: { currency?: string }) => inCurrency(cents, currency),
        goodFor: () => rows.slice(0, 1),
        count: () => falsy.count,
        flag: () => falsy.flag,
        text: () => falsy.text,
      },
    },
  },
  shipping: {
    sdl: `${shared}
      type Query { shippers: [String!]! }
      type Mutation { countElsewhere(by: Int!): Int! }
      type Product @key(fields: "id") {
        id: ID!
        weight(unit: Unit = GRAM): Int! @external
        price(currency: Currency! = EUR): Int! @external
        dims: Dims! @external
        shippingEstimate(express: Boolean): Int! @requires(fields: "weight(unit: KILO) price(currency: USD)")
        customs: String! @requires(fields: "weight(unit: GRAM)")
        plain: Int! @requires(fields: "weight")
        packing: String! @requires(fields: "dims { size(unit: KILO) }")
        wrapping: String! @requires(fields: "dims { size(unit: GRAM) }")
      }
      type Dims { size(unit: Unit = GRAM): Int! @external }
    `,
    resolvers: {
      Mutation: { countElsewhere: bump },
      Product: {
        shippingEstimate: (
          { weight, price }: { weight: number; price: number },
          { express }: { express?: boolean },
        ) => formulas.shipping(weight, price, express),
        customs: ({ weight }: { weight: number }) => formulas.customs(weight),
        plain: ({ weight }: { weight: number }) => formulas.plain(weight),
        packing: ({ dims }: { dims: { size: number } }) => formulas.packing(dims.size),
        wrapping: ({ dims }: { dims: { size: number } }) => formulas.wrapping(dims.size),
      },
    },
  },
  insurance: {
    sdl: `
      type Product @key(fields: "id") {
        id: ID!
        stock: Int! @external
        shippingEstimate(express: Boolean): Int! @external
        insurance: Int! @requires(fields: "shippingEstimate")
        premium: Int! @requires(fields: "shippingEstimate(express: true) stock")
        rating: Rating!
        count: Int @shareable  flag: Boolean @shareable  text: String @shareable
      }
      type Rating { stars: Int!  constructor: String }
    `,
    resolvers: {
      Product: {
        insurance: ({ shippingEstimate }: { shippingEstimate: number }) =>
          formulas.insurance(shippingEstimate),
        premium: ({ shippingEstimate, stock }: { shippingEstimate: number; stock: number }) =>
          formulas.premium(shippingEstimate, stock),
        rating: () => ({ stars: 5, constructor: 'maker' }),
      },
    },
  },
} satisfies Record<string, SubgraphDefinition>;

interface UnitArgument {
  readonly unit?: string;
}

interface CurrencyArgument {
  readonly currency?: string;
}

function wholeProduct(row: ProductRow): object {
  const { grams, cents, stock } = row;
  const estimate = (express?: boolean): number => formulas.shipping(grams / 1000, cents * 2, express);
  return {
    __typename: 'Product',
    id: row.id,
    name: row.name,
    stock,
    weight: ({ unit }: UnitArgument) => inUnit(grams, unit),
    price: ({ currency }: CurrencyArgument) => inCurrency(cents, currency),
    dims: { id: `d${row.id}`, size: ({ unit }: UnitArgument) => inUnit(grams + 1000, unit) },
    related: () => rows.map(wholeProduct),
    ...falsy,
    valueOf: 42,
    shippingEstimate: ({ express }: { express?: boolean }) => estimate(express),
    customs: formulas.customs(grams),
    plain: formulas.plain(grams),
    packing: formulas.packing((grams + 1000) / 1000),
    wrapping: formulas.wrapping(grams + 1000),
    insurance: formulas.insurance(estimate()),
    premium: formulas.premium(estimate(true), stock),
    rating: { stars: 5, constructor: 'maker' },
  };
}

/** The root of the same shop without subgraphs. */
export const wholeShop = {
  products: () => rows.map(wholeProduct),
  items: () => [
    ...rows.map(wholeProduct),
    ...vouchers.map(({ id, cents }) => ({
      __typename: 'Voucher',
      id,
      worth: ({ currency }: CurrencyArgument) => inCurrency(cents, currency),
      goodFor: () => rows.slice(0, 1).map(wholeProduct),
      count: falsy.count,
      flag: falsy.flag,
      text: falsy.text,
    })),
  ],
};
