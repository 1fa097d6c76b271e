import type { CompiledPlan, CompiledStep } from '../compile/compile-plan.ts';
import type { ExecutionResult } from '../result.ts';
import type { SubgraphTransport } from '../transport/subgraph-transport.ts';
import type { RunParameters } from './run-parameters.ts';
import type { RunData, RunDataOptions } from './run-data.ts';
import { createRunData } from './run-data.ts';
import { runFetch, runInContexts } from './run-fetch.ts';
import type { SendFetch } from './send-fetch.ts';
import { createSendFetch } from './send-fetch.ts';

export interface RunPlanOptions extends RunDataOptions {
  readonly transport: SubgraphTransport;
}

/** Runs a plan, and makes the result from its data. Rejects with the signal's reason once that has aborted. */
export async function runPlan(
  plan: CompiledPlan,
  run: RunParameters,
  options: RunPlanOptions,
): Promise<ExecutionResult> {
  run.signal.throwIfAborted();
  const cacheControl: string[] = [];
  const data = createRunData(plan, run.variables, options);
  if (plan.root !== undefined) {
    const send = createSendFetch(options.transport, run, (field) => void cacheControl.push(field));
    await runStep(plan.root, data, send);
    run.signal.throwIfAborted();
  }
  return data.result(cacheControl);
}

function runStep(step: CompiledStep, data: RunData, send: SendFetch): Promise<unknown> {
  switch (step.kind) {
    case 'fetch':
      return step.step.contextVariables.length === 0
        ? runFetch(step, data, send)
        : runInContexts(step, data, send);
    case 'parallel':
      return Promise.all(step.steps.map((child) => runStep(child, data, send)));
    case 'sequence':
    default:
      return runInOrder(step.steps, data, send);
  }
}

async function runInOrder(steps: readonly CompiledStep[], data: RunData, send: SendFetch): Promise<void> {
  for (const step of steps) {
    await runStep(step, data, send);
  }
}
