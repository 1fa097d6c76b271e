import type { CompiledPlan, CompiledStep } from '../compile/compile-plan.ts';
import type { ExecutionResult } from '../result.ts';
import type { SubgraphTransport } from '../transport/subgraph-transport.ts';
import type { Run } from './run.ts';
import type { RunData, SplicingWatch } from './run-data.ts';
import { createRunData } from './run-data.ts';
import { runFetch } from './run-fetch.ts';
import type { SendFetch } from './send-fetch.ts';
import { createSendFetch } from './send-fetch.ts';

/** Runs a plan, and makes the answer of what it brings. Rejects with the signal's reason once that has aborted. */
export async function runPlan(
  plan: CompiledPlan,
  run: Run,
  { transport, watch }: { readonly transport: SubgraphTransport; readonly watch: SplicingWatch | undefined },
): Promise<ExecutionResult> {
  run.signal.throwIfAborted();
  const cacheControl: string[] = [];
  const data = createRunData(plan, run, watch);
  if (plan.root !== undefined) {
    const send = createSendFetch(transport, run, (field) => void cacheControl.push(field));
    await runStep(plan.root, data, send);
    run.signal.throwIfAborted();
  }
  return data.result(cacheControl);
}

async function runStep(step: CompiledStep, data: RunData, send: SendFetch): Promise<void> {
  switch (step.kind) {
    case 'fetch':
      if (step.step.contextVariables.length > 0) {
        await Promise.all(data.inContexts(step).map((fetch) => runFetch(fetch, data, send)));
        return;
      }
      return await runFetch(step, data, send);
    case 'parallel':
      await Promise.all(step.steps.map((child) => runStep(child, data, send)));
      return;
    case 'sequence':
      for (const child of step.steps) {
        await runStep(child, data, send);
      }
  }
}
