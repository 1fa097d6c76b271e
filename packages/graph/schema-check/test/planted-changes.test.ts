// Changes that a team might make to the repository's own graph: harmful ones are caught with the operation and the
// client, harmless ones pass. Every change of a single element is in changes/impact/single-changes.test.ts.
import { describe, expect, it } from '@jest/globals';

import type { ChangeKind } from '../src/changes/kinds.ts';
import type { ClientOperation } from '../src/read/read-manifests.ts';
import { renderReport } from '../src/report/render-report.ts';
import type { CheckReport, ReportedChange } from '../src/report/report.ts';
import type { Edit, Edits } from './support/shipped-graph.ts';
import {
  checkEdits,
  edits,
  graphWith,
  listed,
  movesRating,
  replacing,
  requiresWeight,
  shippedGraph,
  without,
} from './support/shipped-graph.ts';
import { listedAs } from './support/small-graph.ts';

/** `<kind> of <coordinate> hits <operation>`; `may hit` where variables decide. */
type Caught = `${ChangeKind} of ${string} ${'hits' | 'may hit'} ${string}`;

type Planted = readonly [change: string, edits: Edits, caught: Caught];

function adding(definition: string): Edit {
  return (sdl) => `${sdl}\n${definition}\n`;
}

const harmful: readonly Planted[] = [
  [
    'a used field is removed',
    { reviews: without('averageRating') },
    'FIELD_REMOVED of Product.averageRating hits TopProducts',
  ],
  [
    'a scalar becomes an object',
    { reviews: edits(replacing('  rating: Int!', '  rating: Stars!'), adding('type Stars { count: Int! }')) },
    'FIELD_TYPE_CHANGED of Review.rating hits ProductDetails',
  ],
  [
    'a required input field is added',
    {
      orders: replacing(
        '  quantity: Int!\n  "The price of one that',
        '  quantity: Int!\n  gift: Boolean!\n  "The price of one that',
      ),
    },
    'REQUIRED_INPUT_FIELD_ADDED of LineItemInput.gift may hit PlaceOrder',
  ],
  [
    'a used field becomes @inaccessible',
    {
      orders: edits(
        replacing('createdAt: DateTime!\n  "What', 'createdAt: DateTime! @inaccessible\n  "What'),
        replacing('"@cost"', '"@cost"\n      "@inaccessible"'),
      ),
    },
    'FIELD_REMOVED of Order.createdAt hits OrderDetails',
  ],
  [
    'a used field needs a scope',
    {
      reviews: replacing(
        'averageRating: Float ',
        'averageRating: Float @requiresScopes(scopes: [["reviews:read"]]) ',
      ),
    },
    'AUTHORIZATION_TIGHTENED of Product.averageRating hits TopProducts',
  ],
  [
    'a mutation loses its scope',
    {
      orders: replacing(
        'cancelOrder(id: ID!, reason: String!): Order @requiresScopes(scopes: [["orders:write"]])',
        'cancelOrder(id: ID!, reason: String!): Order',
      ),
    },
    'AUTHORIZATION_LOOSENED of Mutation.cancelOrder hits CancelOrder',
  ],
  [
    'a private hint becomes public',
    {
      users: replacing(
        '@cacheControl(maxAge: 300, scope: PRIVATE)',
        '@cacheControl(maxAge: 300, scope: PUBLIC)',
      ),
    },
    'CACHE_SCOPE_WIDENED of User hits Me',
  ],
  [
    'a hint loses its scope',
    {
      products: replacing(
        'priceMinorUnits: Int! @cacheControl(maxAge: 10, scope: PRIVATE)',
        'priceMinorUnits: Int! @cacheControl(maxAge: 10)',
      ),
    },
    'CACHE_SCOPE_WIDENED of Product.priceMinorUnits hits TopProducts',
  ],
];

/** A harmful change that needs more than an edit of a schema, or passes with a warning. */
interface PlantedFurther {
  readonly change: string;
  readonly caught: Caught;
  /** True for one that is reported as dangerous, and passes. plans.test.ts has the costs and pages of operations. */
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

const topByDefault = 'query More { topProducts { id } }';
const withGift = replacing('input LineItemInput {', 'input LineItemInput {\n  gift: Boolean = false');

const further: readonly PlantedFurther[] = [
  {
    change: 'an argument loses its default',
    caught: 'FIELD_ARGUMENT_DEFAULT_CHANGED of Query.topProducts(first:) hits More',
    isDangerous: true,
    before: { products: replacing('first: Int! = 10', 'first: Int = 10') },
    edits: { products: replacing('first: Int! = 10', 'first: Int') },
    more: topByDefault,
  },
  {
    change: 'an argument has another default',
    caught: 'FIELD_ARGUMENT_DEFAULT_CHANGED of Query.topProducts(first:) hits More',
    isDangerous: true,
    edits: { products: replacing('first: Int! = 10', 'first: Int! = 11') },
    more: topByDefault,
  },
  {
    change: 'an input field has another default',
    caught: 'INPUT_FIELD_DEFAULT_CHANGED of LineItemInput.gift hits PlaceOrder',
    isDangerous: true,
    before: { orders: withGift },
    edits: { orders: edits(withGift, replacing('gift: Boolean = false', 'gift: Boolean = true')) },
  },
  {
    change: 'a field moves to another subgraph',
    caught: 'FIELD_MOVED of Product.averageRating hits ProductDetails',
    isDangerous: true,
    edits: movesRating(),
  },
  {
    change: 'a field moves to another subgraph, and the old one drops it at once',
    caught: 'FIELD_MOVED of Product.averageRating hits ProductDetails',
    isDangerous: true,
    edits: {
      users: adding('type Product @key(fields: "id") { id: ID! averageRating: Float }'),
      reviews: without('averageRating'),
    },
  },
  {
    change: 'a deprecated field is removed, and used',
    caught: 'FIELD_REMOVED of Order.cancellationReason hits More',
    edits: { orders: without('cancellationReason') },
    more: 'query More($id: ID!) { order(id: $id) { cancellationReason } }',
  },
  {
    change: 'a field takes smaller pages only',
    caught: 'PAGE_SIZE_LOWERED of Query.topProducts(first:) hits TopProducts',
    isDangerous: true,
    edits: { products: replacing('@pageSize(max: 100)', '@pageSize(max: 10)') },
  },
  {
    change: 'a used field costs more',
    caught: 'COST_CHANGED of Order.recommendations hits OrderDetails',
    isDangerous: true,
    edits: { orders: replacing('@cost(weight: 5)', '@cost(weight: 500)') },
  },
  {
    change: 'a field is renamed, and the operations with it',
    caught: 'IDENTIFIER_REMOVED of operation TopProducts hits TopProducts',
    edits: { products: replacing('priceMinorUnits: Int! @', 'price: Int! @') },
    editListed: (operation) => [renamedIn(operation, 'priceMinorUnits', 'price')],
  },
  {
    change: 'the text of an operation changes',
    caught: 'IDENTIFIER_REMOVED of operation Me hits Me',
    editListed: (operation) => [operation.name === 'Me' ? renamedIn(operation, 'name', '') : operation],
  },
  {
    change: 'an operation is deleted',
    caught: 'IDENTIFIER_REMOVED of operation CancelOrder hits CancelOrder',
    editListed: (operation) => (operation.name === 'CancelOrder' ? [] : [operation]),
  },
  {
    change: 'a field requires another',
    caught: 'REQUIRES_CHANGED of Product.averageRating hits ProductDetails',
    isDangerous: true,
    edits: requiresWeight,
  },
];

/** An operation with another text, hence another identifier. */
function renamedIn(operation: ClientOperation, name: string, other: string): ClientOperation {
  const text = operation.text.replaceAll(new RegExp(`\\b${name}\\b`, 'gu'), other);
  return text === operation.text ? operation : { ...operation, text, id: `${operation.id}-${other}` };
}

/** Changes that do not compose: the messages name the field. */
const uncomposable: readonly (readonly [change: string, edits: Edits, message: RegExp])[] = [
  [
    'an entity loses its key',
    { products: replacing('type Product @key(fields: "id")', 'type Product') },
    /Product\.id/u,
  ],
  [
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
  ['an unused field is removed', { orders: without('cancellationReason') }, 'FIELD_REMOVED'],
  [
    'a description changes',
    { products: replacing('"The name that it is sold under."', '"Its name."') },
    undefined,
  ],
];

/** The change that is caught. */
function found({ changes }: CheckReport, caught: Caught): ReportedChange | undefined {
  const [, kind, coordinate, operation] = /^(\w+) of (.+?) (?:may hit|hits) (\w+)$/u.exec(caught) ?? [];
  const change = changes.find((one) => one.kind === kind && one.coordinate === coordinate);
  expect(change?.operations).toContainEqual(
    expect.objectContaining({
      name: operation,
      clients: [expect.objectContaining({ name: 'storefront' })],
    }),
  );
  return change;
}

describe('A planted change', () => {
  it.each(harmful)('is caught when %s', async (_change, edits, caught) => {
    const report = await checkEdits(edits);
    const change = found(report, caught);
    expect(report.verdict).not.toBe('passes');
    expect(caught.includes('may hit') ? ['fails', 'undecided'] : ['fails']).toContain(change?.verdict);
    expect(change?.places[0]).toMatchObject({
      owners: [expect.stringMatching(/^@meridian\//u)],
      line: expect.any(Number),
    });
  });

  it.each(further)('is caught when $change', async (planted) => {
    const { isDangerous = false, before, edits: changed, more, editListed = (same) => [same] } = planted;
    const moreListed = more === undefined ? [] : [listedAs('More', more, { client: 'storefront' })];
    const report = await checkEdits(
      {},
      {
        sides: {
          before: before ? graphWith(before) : shippedGraph,
          after: changed ? graphWith(changed) : shippedGraph,
        },
        listedBefore: [...listed, ...moreListed],
        listedAfter: [...listed.flatMap(editListed), ...moreListed],
      },
    );
    expect(found(report, planted.caught)).toMatchObject(
      isDangerous ? { level: 'dangerous', verdict: 'passes' } : { verdict: 'fails' },
    );
  });

  it.each(uncomposable)('does not compose when %s', (_change, edits, message) => {
    expect(() => graphWith(edits)).toThrow(message);
  });

  it.each(harmless)('passes when %s', async (_change, edits, kind) => {
    const report = await checkEdits(edits);
    const { verdict, changes } = report;
    expect(verdict).toBe('passes');
    const saysWhy = renderReport(report, 'markdown').includes('no registered operation uses it.');
    expect(saysWhy).toBe(report.counts.breaking > 0);
    expect(changes.map((change) => change.kind)).toEqual(
      expect.arrayContaining(kind === undefined ? [] : [kind]),
    );
  });
});
