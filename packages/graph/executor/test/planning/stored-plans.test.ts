import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';

import type { PlanLookUp, PlanStore, Planner, Supergraph } from '../../src/index.ts';
import { createExecutor, createLocalPlanner, storePlans } from '../../src/index.ts';
import { plannerVersion } from '../../src/planning/store-plans.ts';
import { supergraphOf } from '../support/federation.ts';

const supergraph = supergraphWith('thing(id: ID!, size: Int = 3): Thing');
const operation = 'query A($id: ID!) { thing(id: $id) { id cost } }';

describe('A stored plan', () => {
  it('is the plan that was made, for each planner over an equal supergraph', async () => {
    const store = createStore();
    const made = await plannerOver(store).plan(operation);
    const later = plannerOver(store, supergraphWith('thing(id: ID!, size: Int = 3): Thing'));

    expect(await later.plan(operation)).toEqual(made);
    expect(later.planned).toEqual([]);
    expect(later.lookUps).toMatchObject([{ outcome: 'hit', durationMs: expect.any(Number) }]);
  });

  it.each([
    ['another supergraph', supergraphWith('thing(id: ID!, size: Int = 4): Thing'), operation, []],
    ['another operation', supergraph, operation.replace('cost', '__typename'), []],
    ['other labels of overrides', supergraph, operation, ['percent(1)']],
  ] as const)('is not found for %s', async (_what, of, text, labels) => {
    const store = createStore();
    await plannerOver(store).plan(operation);
    const other = plannerOver(store, of);
    await other.plan(text, labels);

    expect(other.planned).toEqual([text]);
    expect(other.lookUps).toMatchObject([{ outcome: 'miss' }]);
    expect(store.texts.size).toBe(2);
  });

  it('depends on the installed version of Apollo’s planner', () => {
    const path = createRequire(import.meta.url).resolve('@apollo/query-planner/package.json');
    const { version }: { version: string } = JSON.parse(readFileSync(path, 'utf8'));
    expect(plannerVersion).toContain(`@apollo/query-planner@${version}`);
  });

  it.each([
    ['cut off', (text: string) => text.slice(0, -1)],
    ['changed by one character', (text: string) => text.replace('cost', 'cosy')],
    ['without its hash', (text: string) => text.slice(text.indexOf('\n') + 1)],
    ['empty', () => ''],
    ['something else', () => '{"node":{"kind":"Fetch"}}'],
  ])('that is %s is made again, and replaced', async (_what, damage) => {
    const store = createStore();
    const made = await plannerOver(store).plan(operation);
    const [[key = '', good = ''] = []] = store.texts;
    store.texts.set(key, damage(good));
    const later = plannerOver(store);

    expect(await later.plan(operation)).toEqual(made);
    expect(later.lookUps).toMatchObject([{ outcome: 'error' }]);
    expect(store.texts.get(key)).toBe(good);
  });

  it('of one operation is never taken for another', async () => {
    const store = createStore();
    const other = operation.replace('cost', '__typename');
    await plannerOver(store).plan(operation);
    const made = await plannerOver(store).plan(other);
    const [[first = ''] = [], [second = '', textOfOther = ''] = []] = store.texts;
    store.texts.set(first, textOfOther).set(second, textOfOther);
    const later = plannerOver(store);

    expect(await later.plan(operation)).not.toEqual(made);
    expect(later.planned).toEqual([operation]);
  });

  it('has no value of an argument or a variable; it has the defaults that the operation declares', async () => {
    const store = createStore();
    const executor = createExecutor({
      supergraph,
      planner: plannerOver(store),
      transport: { send: () => Promise.reject(new Error('Nothing is sent')) },
    });
    const document = parse(
      'query A($id: ID = "default") { one: thing(id: "secret-2", size: 77123) { cost } two: thing(id: $id) { cost } }',
    );
    await executor.prepare({ document }).plan({ id: 'secret-3' });

    const texts = [...store.texts.values()].join('');
    expect(texts).toContain('default');
    expect(texts).not.toMatch(/secret|77123/);
  });
});

describe('A store of plans', () => {
  it('that does not work costs a look-up, and nothing else', async () => {
    const broken: PlanStore = {
      find: () => Promise.reject(new Error('Not available')),
      keep: () => {},
    };
    const planner = plannerOver(broken);

    expect(await planner.plan(operation)).toEqual({ node: expect.anything() });
    expect(planner.lookUps).toMatchObject([{ outcome: 'error' }]);
  });

  it('gets neither refusals nor very large plans', async () => {
    const store = createStore();
    const close = (): Promise<void> => Promise.resolve();
    const large: Planner = {
      plan: async () => ({
        node: {
          kind: 'Fetch',
          serviceName: 'things',
          variableUsages: [],
          operation: 'a'.repeat(1_000_000),
          operationKind: 'query',
        } as never,
      }),
      close,
    };
    await storePlans(large, supergraph, { store }).plan(operation);
    const refusing: Planner = { plan: async () => ({ rejection: 'takes too long' }), close };
    await storePlans(refusing, supergraph, { store }).plan(operation);

    expect(store.texts.size).toBe(0);
  });
});

function supergraphWith(field: string): Supergraph {
  return supergraphOf({
    things: `type Query { ${field} } type Thing @key(fields: "id") { id: ID! }`,
    costs: 'type Thing @key(fields: "id") { id: ID! cost: Int }',
  });
}

function createStore(): PlanStore & { readonly texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return {
    texts,
    find: (key) => Promise.resolve(texts.get(key)),
    keep: (key, text) => void texts.set(key, text),
  };
}

/** A planner with a store, the operations that it planned itself, and its look-ups. */
function plannerOver(store: PlanStore, of = supergraph) {
  const planned: string[] = [];
  const lookUps: PlanLookUp[] = [];
  const local = createLocalPlanner(of);
  const observed: Planner = {
    plan(text, ...rest) {
      planned.push(text);
      return local.plan(text, ...rest);
    },
    close: () => local.close(),
  };
  const planner = storePlans(observed, of, { store, onLookUp: (lookUp) => lookUps.push(lookUp) });
  return { ...planner, planned, lookUps };
}
