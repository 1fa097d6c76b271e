import { describe, expect, it } from '@jest/globals';

import { addedRequirements } from '../../src/plans/compare-figures.ts';
import type { OperationFigures, Requirement } from '../../src/plans/figures.ts';
import type { CheckReport } from '../../src/report/report.ts';
import {
  checkEdits,
  listed,
  movesRating,
  replacing,
  requiresWeight,
  shippedGraph,
} from '../support/shipped-graph.ts';
import { plainFigures } from '../support/small-graph.ts';

const figures: OperationFigures = {
  ...plainFigures,
  maxCost: 100,
  cache: { maxAgeSeconds: 60, isPrivate: true },
};

/** Checks a change that concerns TopProducts alone, with other figures afterwards. */
async function checkFigures(after: Partial<OperationFigures>): Promise<CheckReport> {
  return await checkEdits(
    { products: replacing('topProducts(first: Int! = 10', 'topProducts(first: Int! = 11') },
    {
      listedBefore: listed.filter(({ name }) => name === 'TopProducts'),
      listedAfter: listed.filter(({ name }) => name === 'TopProducts'),
      readFigures: (supergraph) => () =>
        supergraph === shippedGraph.supergraph ? figures : { ...figures, ...after },
    },
  );
}

describe('The plans of known operations', () => {
  it('show a field that moves to another subgraph as more fetches, with both plans drawn', async () => {
    const { changes, plans } = await checkEdits(movesRating());
    expect(changes).toContainEqual(
      expect.objectContaining({
        kind: 'FIELD_MOVED',
        coordinate: 'Product.averageRating',
        before: 'reviews',
        after: 'users',
      }),
    );
    expect(changes).toContainEqual(
      expect.objectContaining({
        kind: 'OPERATION_FETCHES_ADDED',
        coordinate: 'operation ProductDetails',
        before: '3 fetches in 3 rounds',
        after: '4 fetches in 3 rounds',
        verdict: 'passes',
      }),
    );
    const plan = plans.find(({ operation }) => operation === 'ProductDetails');
    expect(plan).toMatchObject({
      before: {
        text: expect.stringContaining('query reviews'),
        flowchart: expect.stringContaining('flowchart TD'),
      },
      after: { text: expect.stringContaining('query users for product') },
    });
  });

  it.each([1, 99])(
    'show a field that a label moves for %i of 100 requests, beside the plan without it',
    async (percent) => {
      const { changes, plans } = await checkEdits(movesRating(`percent(${percent})`));
      expect(changes).toContainEqual(
        expect.objectContaining({
          kind: 'OPERATION_FETCHES_ADDED',
          level: 'dangerous',
          coordinate: 'operation ProductDetails',
          before: '3 fetches in 3 rounds',
          after: `4 fetches in 3 rounds with percent(${percent})`,
        }),
      );
      expect(plans.filter(({ operation }) => operation === 'ProductDetails')).toEqual([
        expect.objectContaining({
          labels: [`percent(${percent})`],
          after: expect.objectContaining({ text: expect.stringContaining('query users for product') }),
        }),
      ]);
    },
  );

  it('show a new @requires as more rounds', async () => {
    const { changes } = await checkEdits(requiresWeight);
    expect(changes).toContainEqual(
      expect.objectContaining({
        kind: 'REQUIRES_CHANGED',
        coordinate: 'Product.averageRating',
        after: 'weightGrams',
      }),
    );
    expect(changes).toContainEqual(
      expect.objectContaining({ kind: 'OPERATION_ROUNDS_ADDED', coordinate: 'operation AddReview' }),
    );
  });

  it.each([
    ['OPERATION_COST_ADDED', { cost: 11 }, 'passes'],
    ['OPERATION_TOO_EXPENSIVE', { cost: 101 }, 'fails'],
    ['OPERATION_PAGE_TOO_LARGE', { pageSizeFault: '`first` takes 0 to 5' }, 'fails'],
    ['OPERATION_LESS_CACHEABLE', { cache: undefined }, 'passes'],
    ['OPERATION_CACHE_SCOPE_WIDENED', { cache: { maxAgeSeconds: 60, isPrivate: false } }, 'fails'],
    [
      'OPERATION_NEEDS_SCOPE',
      { requirements: [{ of: 'scopes', sets: [['audit']], text: 'the scope audit' }] },
      'fails',
    ],
  ] as const)('show figures that are worse: %s', async (kind, after, verdict) => {
    const { changes } = await checkFigures(after);
    expect(changes).toContainEqual(
      expect.objectContaining({ kind, coordinate: 'operation TopProducts', verdict }),
    );
  });
});

/** The scopes of a caller; undefined for one without a token. */
type Scopes = readonly string[] | undefined;

const callers: readonly Scopes[] = [
  undefined,
  [],
  ['a'],
  ['b'],
  ['c'],
  ['a', 'b'],
  ['a', 'c'],
  ['b', 'c'],
  ['a', 'b', 'c'],
];
const scopeSets: readonly Requirement['sets'][] = [
  [],
  [[]],
  [['a']],
  [['b']],
  [['a', 'b']],
  [['a'], ['b']],
  [['a', 'b'], ['c']],
  [['a'], ['b'], ['c']],
];
const requirements = scopeSets.map((sets): Requirement => ({ of: 'scopes', sets, text: 'scopes' }));

function meets(caller: Scopes, all: readonly Requirement[]): boolean {
  return all.every(({ sets }) =>
    sets.some((set) => caller !== undefined && set.every((name) => caller.includes(name))),
  );
}

describe('An operation needs more authorization', () => {
  it('where a caller who could run it cannot any more, and not where scopes were loosened', () => {
    for (const one of requirements) {
      for (const before of [[], [one], ...requirements.map((other) => [one, other])]) {
        for (const after of requirements) {
          const isRefused = callers.some((caller) => meets(caller, before) && !meets(caller, [after]));
          const isNamed = addedRequirements(before, [after]).length > 0;
          // Two requirements with alternatives each are not combined: too many of them would take too long.
          const mayBeNamed = isRefused || before.filter(({ sets }) => sets.length > 1).length > 1;
          expect({ before, after, isNamed }).toEqual({
            before,
            after,
            isNamed: isRefused || (isNamed && mayBeNamed),
          });
        }
      }
    }
  });
});
