// The order in which a changed subgraph and the supergraph may be deployed: old plans against its new schema, new plans
// against its old one.
import { describe, expect, it } from '@jest/globals';
import { caseCount, casesOf } from '@meridian/testing';
import type { DocumentNode } from 'graphql';
import { parse, print, validate } from 'graphql';

import type { Graph } from '../../src/changes/graph.ts';
import type { CheckInput } from '../../src/check-graphs.ts';
import { githubReport } from '../../src/report/github.ts';
import { renderReport } from '../../src/report/render-report.ts';
import { junitReport } from '../../src/report/junit.ts';
import { markdownReport } from '../../src/report/markdown.ts';
import type { CheckReport } from '../../src/report/report.ts';
import { sarifReport } from '../../src/report/sarif.ts';
import { textReport } from '../../src/report/text.ts';
import { defaultRules } from '../../src/rules/rules.ts';
import { singleChanges, withBoth } from '../changes/impact/single-changes/single-changes.ts';
import type { Edits } from '../support/shipped-graph.ts';
import {
  checkEdits,
  listed,
  movesRating,
  replacing,
  requiresWeight,
  without,
} from '../support/shipped-graph.ts';
import { checkSmall, listedAs, smallGraph } from '../support/small-graph.ts';

type Orders = CheckReport['deployOrder'];

async function ordersOf(changed: Edits, input: Partial<CheckInput> = {}): Promise<Orders> {
  return (await checkEdits(changed, input)).deployOrder;
}

const newOperation = listedAs('Colours', 'query Colours { topProducts(first: 3) { colour } }');
const addsColour = { products: replacing('  name: String!', '  name: String!\n  colour: String') };

describe('The order in which to deploy', () => {
  it('is any order for a change that no known operation meets', async () => {
    expect(
      await ordersOf({ products: replacing('"The name that it is sold under."', '"Its name."') }),
    ).toEqual([{ subgraph: 'products', order: 'any', reasons: [] }]);
    expect(await ordersOf(addsColour)).toMatchObject([{ subgraph: 'products', order: 'any' }]);
  });

  it('is the subgraph first for a field that a new operation selects', async () => {
    const [order] = await ordersOf(addsColour, { listedAfter: [...listed, newOperation] });
    expect(order).toEqual({
      subgraph: 'products',
      order: 'subgraph-first',
      reasons: [
        {
          against: 'supergraph-first',
          operations: ['Colours'],
          message: 'Cannot query field "colour" on type "Product".',
        },
      ],
    });
  });

  it('is the subgraph first for any new field where clients may ask for what they like', async () => {
    expect(await ordersOf(addsColour, { rules: { ...defaultRules, operations: 'any' } })).toMatchObject([
      {
        order: 'subgraph-first',
        reasons: [
          { operations: [], message: 'clients may ask for Product.colour, which is not known there' },
        ],
      },
    ]);
  });

  it('is the subgraph first for a field that promises more, and for one that takes more', async () => {
    expect(
      await ordersOf({ reviews: replacing('averageRating: Float ', 'averageRating: Float! ') }),
    ).toMatchObject([{ subgraph: 'reviews', order: 'subgraph-first' }]);
    const [order] = await ordersOf({
      orders: replacing('input LineItemInput {', 'input LineItemInput {\n  note: String'),
    });
    expect(order).toMatchObject({ order: 'subgraph-first' });
    expect(order?.reasons).toContainEqual({
      against: 'supergraph-first',
      message: 'clients may send LineItemInput.note, which is not known there',
      operations: expect.arrayContaining(['PlaceOrder']),
    });
  });

  it('is the supergraph first for a used field that goes, or promises less', async () => {
    const [removed] = await ordersOf({ reviews: without('averageRating') });
    expect(removed).toMatchObject({ subgraph: 'reviews', order: 'supergraph-first' });
    const [nullable] = await ordersOf({ products: replacing('name: String!', 'name: String') });
    expect(nullable).toMatchObject({ order: 'supergraph-first' });
    expect(nullable?.reasons).toContainEqual({
      against: 'subgraph-first',
      message: 'Product.name is String there, and the supergraph expects String!',
      operations: expect.arrayContaining(['TopProducts']),
    });
  });

  it('is the supergraph first for a root type that goes with its last field', async () => {
    expect(await ordersOf({ reviews: replacing(/type Mutation \{.*?\n\}\n/su, '') })).toMatchObject([
      {
        order: 'supergraph-first',
        reasons: [
          { operations: ['AddReview'], message: 'Schema is not configured to execute mutation operation.' },
        ],
      },
    ]);
  });

  it('is the supergraph first for a new value of an enum in responses: the old supergraph does not know it', async () => {
    expect(await ordersOf({ orders: replacing('  "Arrived."', '  RETURNED\n  "Arrived."') })).toMatchObject([
      { order: 'supergraph-first' },
    ]);
  });

  it('is the receiving subgraph first for a field that moves with @override, and any order for the one that it leaves', async () => {
    expect(await ordersOf(movesRating())).toMatchObject([{ subgraph: 'users', order: 'subgraph-first' }]);
    // With a label, some requests go the new way from the first moment.
    expect(await ordersOf(movesRating('percent(1)'))).toMatchObject([
      { subgraph: 'users', order: 'subgraph-first' },
    ]);
    const leaves = { ...movesRating(), reviews: without('averageRating') };
    expect(await ordersOf(leaves)).toMatchObject([
      { subgraph: 'reviews', order: 'supergraph-first' },
      { subgraph: 'users', order: 'subgraph-first' },
    ]);
  });

  it('is the supergraph first for a field that requires more: the old plan does not send it', async () => {
    const [order] = await ordersOf(requiresWeight);
    expect(order).toMatchObject({ subgraph: 'reviews', order: 'supergraph-first' });
    expect(order?.reasons[0]?.message).toBe(
      'Product.averageRating requires `weightGrams` there, which the fetch does not send',
    );
  });

  it('is the supergraph first for a used field with a new required argument', async () => {
    expect(
      await ordersOf({ products: replacing('  name: String!', '  name(style: Int!): String!') }),
    ).toMatchObject([{ subgraph: 'products', order: 'supergraph-first' }]);
  });

  it('is two steps for another type, with a change that says so', async () => {
    const changed = await checkEdits({
      products: replacing('priceMinorUnits: Int! @', 'priceMinorUnits: String! @'),
    });
    expect(changed.deployOrder).toMatchObject([{ subgraph: 'products', order: 'two-steps' }]);
    expect(changed.changes).toContainEqual(
      expect.objectContaining({
        kind: 'DEPLOY_IN_TWO_STEPS',
        coordinate: 'subgraph products',
        level: 'dangerous',
        operations: expect.arrayContaining([expect.objectContaining({ name: 'TopProducts' })]),
      }),
    );
  });

  it('is two steps for an input field that becomes required at once', async () => {
    const [order] = await ordersOf({
      orders: replacing('input LineItemInput {', 'input LineItemInput {\n  gift: Boolean!'),
    });
    expect(order).toMatchObject({ subgraph: 'orders', order: 'two-steps' });
  });

  it('is two steps for a key that replaces another, and any order for a key beside it', async () => {
    const catalog = `type Query { products: [Product!]! }
      type Product @key(fields: "id") @key(fields: "sku") { id: ID! sku: ID! name: String! }`;
    const stockBy = (...keys: readonly string[]): string =>
      `type Product ${keys.map((key) => `@key(fields: "${key}")`).join(' ')} { ${keys.map((key) => `${key}: ID!`).join(' ')} stock: Int! }`;
    const graphBy = (...keys: readonly string[]): Graph => smallGraph({ catalog, stock: stockBy(...keys) });
    const operations = { Stock: '{ products { stock } }' };
    const replaced = await checkSmall(graphBy('id'), graphBy('sku'), operations);
    expect(replaced.deployOrder).toEqual([
      {
        subgraph: 'stock',
        order: 'two-steps',
        reasons: [
          {
            against: 'subgraph-first',
            operations: ['Stock'],
            message: 'Product is found by `sku` there, which is not what the fetch sends',
          },
          {
            against: 'supergraph-first',
            operations: ['Stock'],
            message: 'Product is found by `id` there, which is not what the fetch sends',
          },
        ],
      },
    ]);
    const beside = await checkSmall(graphBy('id'), graphBy('id', 'sku'), operations);
    expect(beside.deployOrder).toMatchObject([{ subgraph: 'stock', order: 'any' }]);
  });

  it('follows a subgraph that is added or removed, and a field that is no longer provided', async () => {
    const catalog =
      'type Query { product: Product } type Product @key(fields: "id") { id: ID! name: String! @shareable }';
    const stock = 'type Product @key(fields: "id") { id: ID! stock: Int! }';
    const [small, large] = [smallGraph({ catalog }), smallGraph({ catalog, stock })];
    const operations = { Names: '{ product { name } }' };
    expect((await checkSmall(small, large, operations)).deployOrder).toMatchObject([
      { subgraph: 'stock', order: 'subgraph-first' },
    ]);
    expect((await checkSmall(large, small, operations)).deployOrder).toMatchObject([
      { subgraph: 'stock', order: 'supergraph-first' },
    ]);
    const reviews = (provides: string): string => `type Query { review: Review }
      type Review { product: Product ${provides} } type Product @key(fields: "id") { id: ID! name: String! @external }`;
    const provided = smallGraph({ catalog, reviews: reviews('@provides(fields: "name")') });
    const alone = smallGraph({
      catalog,
      reviews:
        'type Query { review: Review } type Review { product: Product } type Product @key(fields: "id") { id: ID! }',
    });
    const { deployOrder } = await checkSmall(provided, alone, {
      Reviewed: '{ review { product { name } } }',
    });
    expect(deployOrder).toMatchObject([{ subgraph: 'reviews', order: 'supergraph-first' }]);
  });

  it('keeps the reasons of two changes that are made at once', async () => {
    const orders = `enum State { OPEN SENT } input Filter { state: State! = OPEN text: String first: Int! = 1 }
      type Query { orders(filter: Filter): [Order!] order(id: ID!): Order }
      type Order { id: ID! state: State! total: Float note: String! }`;
    const operations = {
      List: '($filter: Filter) { orders(filter: $filter) { id state total note } }',
      One: '($id: ID!) { order(id: $id) { state note } }',
    };
    const before = smallGraph({ orders });
    const reasonsOf = async (
      document: DocumentNode | undefined,
    ): Promise<Map<string, string[]> | undefined> => {
      let after: Graph;
      try {
        after = smallGraph({ orders: document === undefined ? '' : print(document) });
      } catch {
        return undefined;
      }
      const { deployOrder } = await checkSmall(before, after, operations);
      // Nothing is planned of an operation that is not valid.
      const valid = Object.entries(operations).filter(
        ([, text]) => validate(after.supergraph.apiSchema, parse(`query ${text}`)).length === 0,
      );
      return new Map(
        valid.map(([name]) => [
          name,
          deployOrder.flatMap(({ reasons }) =>
            reasons
              .filter(({ operations: named }) => named.includes(name))
              .map(({ against, message }) => `${against}: ${message}`),
          ),
        ]),
      );
    };
    const all = [...singleChanges(parse(orders, { noLocation: true }))];
    const ofInputs = all.filter(({ what }) =>
      /^Filter\.\w+(?:: Int!?)? (?:is added|is never null)$/u.test(what),
    );
    const ofOutputs = all.filter(({ what }) =>
      /^Order\.\w+ (?:is never null|may be null|is another scalar)$/u.test(what),
    );
    const pairs = ofInputs.flatMap((one) => ofOutputs.map((other) => [one, other] as const));
    const faults: string[] = [];
    let kept = 0;
    for (const [one, other] of casesOf(pairs)) {
      const both = await reasonsOf(withBoth(one, other));
      for (const { what, document } of [one, other]) {
        for (const [name, reasons] of (await reasonsOf(document)) ?? []) {
          const missing = reasons.filter((reason) => both?.get(name)?.includes(reason) === false);
          kept += reasons.length;
          faults.push(
            ...missing.map((reason) => `${one.what}, ${other.what}: ${name} lacks ${reason} of ${what}`),
          );
        }
      }
    }
    expect(faults).toEqual([]);
    expect(kept).toBeGreaterThan(caseCount(pairs.length));
  });

  it('is in every output', async () => {
    const report = await checkEdits({ products: replacing('name: String!', 'name: String') });
    const line = 'products: the supergraph first, then the subgraph';
    for (const output of [textReport, markdownReport, junitReport, githubReport]) {
      expect(output(report)).toContain(line);
    }
    expect(JSON.parse(renderReport(report, 'json')).deployOrder).toEqual(report.deployOrder);
    expect(JSON.parse(sarifReport(report)).runs[0].properties.deployOrder).toEqual(report.deployOrder);
    expect(textReport(report)).toContain(
      'not the subgraph first: Product.name is String there, and the supergraph expects String! (OrderDetails, ',
    );
  });
});
