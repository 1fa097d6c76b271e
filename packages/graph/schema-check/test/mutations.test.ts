// Random edits of the repository's schemas: an operation of the manifest that `check` calls safe serves its clients
// over the changed graph as before, when it is run. So does a check that lies: it is found out.
import { describe, expect, it } from '@jest/globals';
import { caseCount, casesOf } from '@meridian/testing';

import type { Graph } from '../src/changes/graph.ts';

import type { CheckReport } from '../src/report/report.ts';
import { randomEdit } from './support/random-edit.ts';
import { faultsOverGraph } from './support/response-faults.ts';
import type { Edits } from './support/shipped-graph.ts';
import {
  checkEdits,
  composed,
  edits,
  listed,
  replacing,
  shippedGraph,
  subgraphNames,
} from './support/shipped-graph.ts';

/** A random number from 0, below 1, from a seed: the same ones at every run. */
function createRandom(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = Math.imul(state ^ (state >>> 15), 0x2c_1b_3c_6d) + 0x9e_37_79_b9;
    state ^= state >>> 12;
    return (state >>> 0) / 4_294_967_296;
  };
}

const editCount = caseCount(18);

type Faults = readonly (readonly [operation: string, fault: string])[];

/** The operations that a report does not call safe. */
function namedIn({ changes }: CheckReport): ReadonlySet<string> {
  // A new enum value, which is dangerous, passes: the report names the operations that may be sent it.
  return new Set(
    changes
      .filter(
        ({ verdict, kind, level }) =>
          verdict !== 'passes' || (kind === 'ENUM_VALUE_ADDED' && level === 'dangerous'),
      )
      .flatMap(({ operations }) => operations.map(({ name }) => name)),
  );
}

/** The faults of operations that a report calls safe. */
function missedBy(report: CheckReport, faults: Faults): Faults {
  const named = namedIn(report);
  return faults.filter(([operation]) => !named.has(operation));
}

/** The report of a check that calls every change safe. */
function lieOf(report: CheckReport): CheckReport {
  const changes = report.changes.map((change) => ({
    ...change,
    level: 'safe' as const,
    verdict: 'passes' as const,
  }));
  return { ...report, verdict: 'passes', changes };
}

/**
 * The report about edits, and the faults of all operations over the changed graph; undefined where it does not compose.
 */
async function checkAndRun(
  changed: Edits,
): Promise<{ readonly report: CheckReport; readonly faults: Faults; readonly after: Graph } | undefined> {
  const after = composed(changed);
  return (
    after && {
      report: await checkEdits(changed, { sides: { before: shippedGraph, after } }),
      faults: [...(await faultsOverGraph(shippedGraph, after, listed))],
      after,
    }
  );
}

/**
 * The orders in which operations fail that a report does not warn of, when one side of an edit is deployed first:
 * operations that also fail when both are deployed say nothing about the order.
 */
async function missedOrders(
  name: string,
  { deployOrder }: CheckReport,
  after: Graph,
  faults: Faults,
): Promise<Faults> {
  const order = deployOrder.find(({ subgraph }) => subgraph === name)?.order ?? 'any';
  const failing = new Set(faults.map(([operation]) => operation));
  const mixes = [
    ['subgraph-first', { supergraph: shippedGraph.supergraph, sources: after.sources }, new Set<string>()],
    ['supergraph-first', { supergraph: after.supergraph, sources: shippedGraph.sources }, failing],
  ] as const;
  const missed: (readonly [string, string])[] = [];
  for (const [first, mixed, ignored] of mixes) {
    if (order === first || order === 'any') {
      const found = await faultsOverGraph(shippedGraph, mixed, listed);
      missed.push(
        ...Array.from(found)
          .filter(([operation]) => !ignored.has(operation))
          .map(([operation, fault]) => [operation, `${first}: ${fault}`] as const),
      );
    }
  }
  return missed;
}

describe('checkGraphs, over random edits,', () => {
  it('calls no operation of the manifest safe that fails when it is run, nor an order in which to deploy', async () => {
    expect(await faultsOverGraph(shippedGraph, shippedGraph, listed)).toEqual(new Map());
    let compositions = 0;
    let failing = 0;
    for (let seed = 0; seed < editCount; seed += 1) {
      const random = createRandom(seed);
      const name = subgraphNames[Math.floor(random() * subgraphNames.length)] ?? '';
      let edited: string | undefined;
      const changed = { [name]: (sdl: string) => (edited ??= randomEdit(sdl, random)) };
      const outcome = await checkAndRun(changed);
      if (outcome === undefined) {
        continue;
      }
      const { report, faults, after } = outcome;
      expect({ seed, missed: missedBy(report, faults) }).toEqual({ seed, missed: [] });
      expect({ seed, missed: await missedOrders(name, report, after, faults) }).toEqual({ seed, missed: [] });
      compositions += 1;
      failing += faults.length > 0 ? 1 : 0;
    }
    // Enough of both: edits that fail operations when they are run, and edits that do not.
    expect(compositions).toBeGreaterThan(editCount / 3);
    expect(failing).toBeGreaterThan(compositions / 5);
    expect(failing).toBeLessThan(compositions);
  });
});

/** Changes that hurt, with an operation that fails over each, and how. */
const lies: readonly (readonly [change: string, edits: Edits, operation: string, fault: RegExp])[] = [
  [
    'a used field is renamed',
    { products: replacing('priceMinorUnits: Int! @', 'price: Int! @') },
    'TopProducts',
    /Cannot query field/u,
  ],
  [
    'a field becomes nullable',
    { products: replacing('name: String!', 'name: String') },
    'ProductDetails',
    /Cannot return null for non-nullable field Product\.name/u,
  ],
  [
    'an integer becomes a float',
    { products: replacing('priceMinorUnits: Int! @', 'priceMinorUnits: Float! @') },
    'TopProducts',
    /Int cannot represent non-integer value/u,
  ],
  [
    'a text becomes a number',
    { reviews: replacing('  body: String!\n', '  body: Int!\n') },
    'ProductDetails',
    /the client expects/u,
  ],
  [
    'a type is renamed',
    { orders: replacing(/\bCustomer\b/gu, 'Buyer') },
    'OrderDetails',
    /the client expects/u,
  ],
  [
    'an enum has a new value',
    { orders: replacing('  "Arrived."', '  RETURNED\n  "Arrived."') },
    'PlaceOrder',
    /Enum "OrderStatus" cannot represent value/u,
  ],
  [
    'an argument becomes required',
    { orders: replacing('customerId: ID\n', 'customerId: ID!\n') },
    'PlaceOrder',
    /position expecting type "ID!"/u,
  ],
  [
    'a required input field is added',
    { orders: replacing('input LineItemInput {', 'input LineItemInput {\n  gift: Boolean!') },
    'PlaceOrder',
    /Field "gift" of required type "Boolean!" was not provided/u,
  ],
  [
    'an input field is removed',
    {
      orders: edits(
        replacing(/(input LineItemInput \{[^}]*) {2}unitPriceMinorUnits: Int!\n/u, '$1  note: String\n'),
      ),
    },
    'PlaceOrder',
    /Field "unitPriceMinorUnits" is not defined/u,
  ],
];

describe('A check that lies', () => {
  it.each(casesOf(lies))(
    'is found out when it calls safe that %s',
    async (_change, edits, operation, fault) => {
      const outcome = await checkAndRun(edits);
      if (outcome === undefined) {
        throw new Error('The changed graph does not compose');
      }
      const { report, faults } = outcome;
      expect(missedBy(lieOf(report), faults)).toContainEqual([operation, expect.stringMatching(fault)]);
      expect(missedBy(report, faults)).toEqual([]);
    },
  );
});
