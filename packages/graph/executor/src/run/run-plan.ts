import type { CompiledPlan, CompiledStep, CompiledSubscription } from '../compile/compile-plan.ts';
import type { ExecutionResult } from '../result.ts';
import type { CompiledFetch } from '../slow-path/compile-fetch.ts';
import { ReceivedBody } from './received-body.ts';
import type { RunParameters } from './run-parameters.ts';
import type { RunPlanOptions } from './run-data.ts';
import { RunData } from './run-data.ts';
import { runDeferring } from './run-deferring.ts';
import { recordOrThrow, runAnyFetch } from './run-fetch.ts';
import { FetchSender } from './send-fetch.ts';

/** Runs a plan, and makes the result from its data. Rejects with the signal's reason once that has aborted. */
export async function runPlan<Run extends RunParameters>(
  plan: CompiledPlan,
  run: Run,
  options: RunPlanOptions<Run>,
): Promise<ExecutionResult> {
  run.signal.throwIfAborted();
  const { root, order } = plan;
  if (order !== undefined) {
    return await runDeferring(plan, order, run, options);
  }
  const data = new RunData(plan, run.variables, options);
  if (root === undefined) {
    return data.result([]);
  }
  const sender = new FetchSender(options.transport, run, plan.merging);
  try {
    await runStep(root, data, sender);
    run.signal.throwIfAborted();
    return data.result(sender.cacheControl);
  } catch (error) {
    data.abandon(error);
    throw error;
  }
}

/**
 * Makes the result of one event of a subscription: the event is read as the response of the plan's first fetch, and the
 * other fetches run for it. Rejects with the signal's reason once that has aborted.
 */
export async function runEvent<Run extends RunParameters>(
  { plan, fetch, rest }: CompiledSubscription,
  response: Buffer,
  run: Run,
  options: RunPlanOptions<Run>,
): Promise<ExecutionResult> {
  const data = new RunData(plan, run.variables, options);
  const sender = new FetchSender(options.transport, run, plan.merging);
  try {
    data.buildRequest(fetch);
    mergeEvent(fetch, response, data);
    if (rest.length > 0) {
      await runInOrder(rest, data, sender);
      run.signal.throwIfAborted();
    }
    return data.result([]);
  } catch (error) {
    data.abandon(error);
    throw error;
  }
}

function mergeEvent(fetch: CompiledFetch, response: Buffer, data: RunData): void {
  try {
    data.mergeResponse(fetch, new ReceivedBody(response));
  } catch (error) {
    recordOrThrow(error, fetch, data);
  }
}

function runStep(step: CompiledStep, data: RunData, sender: FetchSender): Promise<unknown> {
  switch (step.kind) {
    case 'fetch':
      return runAnyFetch(step, data, sender);
    case 'parallel':
      return Promise.all(step.steps.map((child) => runStep(child, data, sender)));
    case 'sequence':
    default:
      return runInOrder(step.steps, data, sender);
  }
}

async function runInOrder(steps: readonly CompiledStep[], data: RunData, sender: FetchSender): Promise<void> {
  for (const step of steps) {
    await runStep(step, data, sender);
  }
}
