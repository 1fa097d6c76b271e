import { StopController } from '@meridian/cancellation';

import type { CompiledOrderedFetch } from '../compile/compile-order.ts';
import type { CompiledPlan } from '../compile/compile-plan.ts';
import type { ExecutionResult } from '../result.ts';
import type { StartedFetch } from './deferred-run.ts';
import { DeferredRun } from './deferred-run.ts';
import { RunData } from './run-data.ts';
import { runAnyFetch } from './run-fetch.ts';
import type { RunParameters } from './run-parameters.ts';
import type { RunPlanOptions } from './run-plan-options.ts';
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
  const sender = new FetchSender(options.transport, { ...run, signal: stop });
  const fetches: StartedFetch[] = [];
  for (const { fetch, after, fragment } of order) {
    const before = after.flatMap((index) => fetches[index]?.done ?? []);
    const done =
      before.length === 0
        ? runAnyFetch(fetch, data, sender)
        : Promise.all(before).then(() => runAnyFetch(fetch, data, sender));
    // A fault reaches the fragment that waits for it, and there may be none.
    done.catch(() => {});
    fetches.push({ fragment, done });
  }
  const deferred = new DeferredRun(data, fetches, { stop, signal: run.signal });
  try {
    await Promise.all(fetches.flatMap(({ fragment, done }) => (fragment === undefined ? [done] : [])));
    run.signal.throwIfAborted();
    return deferred.first(sender.cacheControl);
  } catch (error) {
    deferred.end(error);
    throw error;
  }
}
