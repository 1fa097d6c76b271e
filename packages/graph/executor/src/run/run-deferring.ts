import { StopController } from '@meridian/cancellation';

import type { CompiledOrderedFetch, CompiledPlan } from '../compile/compile-plan.ts';
import type { ExecutionResult } from '../result.ts';
import type { StartedFetch } from './deferred-run.ts';
import { DeferredRun } from './deferred-run.ts';
import type { RunPlanOptions } from './run-data.ts';
import { RunData } from './run-data.ts';
import { runAnyFetch } from './run-fetch.ts';
import type { RunParameters } from './run-parameters.ts';
import { FetchSender } from './send-fetch.ts';

/**
 * Runs a plan with deferred fragments. Each fetch starts once those are done that it waits for; the result is made when
 * those are done that it waits for itself. The rest runs on, until the consumer of the parts stops or the signal aborts.
 */
export async function runDeferring<Run extends RunParameters>(
  plan: CompiledPlan,
  order: readonly CompiledOrderedFetch[],
  run: Run,
  options: RunPlanOptions<Run>,
): Promise<ExecutionResult> {
  const stop = new StopController();
  const data = new RunData(plan, run.variables, options);
  const sender = new FetchSender(options.transport, run, plan.merging, stop);
  const fetches: StartedFetch[] = [];
  const first = Promise.withResolvers<void>();
  let awaitedByFirst = order.filter(({ fragment }) => fragment === undefined).length;
  const onDone = (): void => void (awaitedByFirst -= 1);
  const start = async (
    { fetch, fragment }: CompiledOrderedFetch,
    before: readonly Promise<void>[],
  ): Promise<void> => {
    if (before.length > 0) {
      await Promise.all(before);
      // Not between the first result and the client.
      if (fragment !== undefined && awaitedByFirst === 0) {
        await first.promise;
      }
    }
    await runAnyFetch(fetch, data, sender);
  };
  for (const ordered of order) {
    const { after, fragment } = ordered;
    const before = after.flatMap((index) => fetches[index]?.done ?? []);
    const started = start(ordered, before);
    const done = fragment === undefined ? started.then(onDone) : started;
    // A fault reaches the fragment that waits for it, and there may be none.
    done.catch(() => {});
    fetches.push({ fragment, done });
  }
  const deferred = new DeferredRun(data, fetches, { stop, signal: run.signal });
  try {
    await Promise.all(fetches.flatMap(({ fragment, done }) => (fragment === undefined ? [done] : [])));
    run.signal.throwIfAborted();
    const result = deferred.first(sender.cacheControl);
    setImmediate(first.resolve);
    return result;
  } catch (error) {
    deferred.end(error);
    throw error;
  }
}
