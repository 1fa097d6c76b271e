import { createHash } from 'node:crypto';

import { print } from 'graphql';

import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { Planner, PlanningResult } from './planner.ts';

/** A cache of texts that outlives a planner. It may lose any of them, and return what others have written. */
export interface PlanStore {
  /** Rejects, in bounded time, while the store does not work. */
  find(key: string): Promise<string | undefined>;
  /** Keeps a text, in the background, unless that fails. */
  keep(key: string, text: string): void;
}

/** A look-up in a store of plans. */
export interface PlanLookUp {
  /** SHA-256, hexadecimal. */
  readonly key: string;
  /** `error`: the store did not work, or returned something else than the plan that was kept. */
  readonly outcome: 'hit' | 'miss' | 'error';
  readonly durationMs: number;
}

export interface StorePlansOptions {
  readonly store: PlanStore;
  readonly onLookUp?: (lookUp: PlanLookUp) => void;
}

/**
 * Everything beside the supergraph and the operation on which plans and their texts depend: the format, Apollo's
 * planner. Plans of other versions are not found.
 */
export const plannerVersion = 'meridian-plan-1 @apollo/query-planner@2.14.4';

/** The most characters of a stored plan, as JSON. A longer one is not stored. */
const maxLength = 1_000_000;

/**
 * Creates a planner that looks for a plan in a store before it asks another planner, and stores the plans of that one.
 * Its keys are hashes of the planner's version, the supergraph, the labels and the operation. Neither key nor plan
 * depends on the values of arguments and variables; a plan has the defaults that the operation declares for its
 * variables. A text counts only if it has the hash of its key and its plan. Refusals are not stored: some depend on the
 * machine.
 */
export function storePlans(
  planner: Planner,
  { plannerSchema }: Pick<Supergraph, 'plannerSchema'>,
  { store, onLookUp }: StorePlansOptions,
): Planner {
  const schemaHash = hashOf(print(plannerSchema));

  const find = async (key: string): Promise<PlanningResult | undefined> => {
    const startedMs = performance.now();
    let outcome: PlanLookUp['outcome'] = 'error';
    try {
      const text = await store.find(key);
      const result = text === undefined ? undefined : readStored(key, text);
      if (result !== undefined) {
        outcome = 'hit';
      } else if (text === undefined) {
        outcome = 'miss';
      }
      return result;
    } catch {
      return undefined;
    } finally {
      onLookUp?.({ key, outcome, durationMs: performance.now() - startedMs });
    }
  };
  return {
    async plan(operation, labels = [], caller) {
      const key = hashOf(plannerVersion, schemaHash, JSON.stringify(labels), operation);
      const stored = await find(key);
      if (stored !== undefined) {
        return stored;
      }
      const result = await planner.plan(operation, labels, caller);
      if ('node' in result) {
        const json = JSON.stringify({ node: result.node });
        if (json.length <= maxLength) {
          store.keep(key, `${hashOf(key, json)}\n${json}`);
        }
      }
      return result;
    },
    close: () => planner.close(),
  };
}

/** Undefined for a text that is not the one that was kept under this key. */
function readStored(key: string, text: string): PlanningResult | undefined {
  const end = text.indexOf('\n');
  const json = text.slice(end + 1);
  if (json.length > maxLength || text.slice(0, Math.max(end, 0)) !== hashOf(key, json)) {
    return undefined;
  }
  const { node }: { readonly node?: Extract<PlanningResult, { node: unknown }>['node'] } = JSON.parse(json);
  return { node };
}

function hashOf(...texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) {
    hash.update(`${text.length} `).update(text);
  }
  return hash.digest('hex');
}
