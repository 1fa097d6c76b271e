import { createHash } from 'node:crypto';

import type { StopSignal } from '@meridian/cancellation';

import type { CompiledSubscription } from '../compile/compile-plan.ts';
import { fetchesOf } from '../plan/plan-steps.ts';
import type { ExecutionResult } from '../result.ts';
import { createSingleFlight } from '../transport/single-flight.ts';
import { traceFields } from '../transport/trace-fields.ts';
import type { RunParameters } from './run-parameters.ts';
import { turn } from './turns.ts';

/** Runs a subscription's plan for an event once for all streams that have the same event and the same authority. */
export interface EventRuns {
  /**
   * @param authority of `authorityOf`; undefined for a run by itself
   * @param event compared by identity: streams that share the subgraph's have the same one
   */
  run(
    authority: string | undefined,
    event: Buffer,
    signal: StopSignal,
    start: (signal: StopSignal) => Promise<ExecutionResult>,
  ): Promise<ExecutionResult>;
}

/** The most results of an event that are kept: one slow client must not hold them for thousands of others. */
const maxKept = 16;

/**
 * An event is run once, also for streams that come to it after its run. Its results are kept for as long as it waits in
 * the queue of a stream.
 */
export function shareEventRuns(): EventRuns {
  const flights = createSingleFlight<Buffer, ExecutionResult>((one, other) => one === other);
  const results = new WeakMap<Buffer, Map<string, ExecutionResult>>();
  const keep = (event: Buffer, authority: string, result: ExecutionResult): ExecutionResult => {
    const ofEvent = results.get(event) ?? new Map<string, ExecutionResult>();
    results.set(event, ofEvent);
    if (ofEvent.size < maxKept) {
      ofEvent.set(authority, result);
    }
    return result;
  };
  return {
    async run(authority, event, signal, start) {
      if (authority === undefined) {
        return await start(signal);
      }
      const result =
        results.get(event)?.get(authority) ??
        (await flights.join(authority, event, signal, async (shared) =>
          keep(event, authority, await start(shared)),
        ));
      await turn();
      signal.throwIfAborted();
      return result;
    },
  };
}

/**
 * Everything but the event on which a result depends: variables, and what each subgraph gets. A hash. Undefined for a run
 * that is observed, which has to see its own fetches, and for one that is not shared.
 */
export function authorityOf(
  { plan }: CompiledSubscription,
  { variables, headersFor, observer, isShared = true }: RunParameters,
): string | undefined {
  if (observer !== undefined || !isShared) {
    return undefined;
  }
  const subgraphs = new Set(fetchesOf(plan.plan.root).map(({ subgraph }) => subgraph));
  const fields = Array.from(subgraphs, (subgraph) =>
    Object.entries(headersFor?.(subgraph) ?? {})
      .filter(([name]) => !traceFields.has(name))
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
  return createHash('sha256')
    .update(JSON.stringify([variables, fields]))
    .digest('base64');
}
