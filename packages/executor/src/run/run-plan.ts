import type { CompiledPlan, CompiledStep } from '../compile/compile-plan.ts';
import type { ExecutionError, ExecutionResult, ResponsePath } from '../result.ts';
import type { SubgraphTransport } from '../transport/subgraph-transport.ts';
import type { Run } from './run.ts';
import { runFetch } from './run-fetch.ts';
import type { RunState } from './run-state.ts';
import { createSendFetch } from './send-fetch.ts';

/** Runs a plan, and makes the answer of what it brings. Rejects with the signal's reason once that has aborted. */
export async function runPlan(
  plan: CompiledPlan,
  run: Run,
  transport: SubgraphTransport,
): Promise<ExecutionResult> {
  run.signal.throwIfAborted();
  const cacheControl: string[] = [];
  const state: RunState = {
    run,
    data: {},
    errors: [],
    cacheControl,
    missing: new Set(),
    send: createSendFetch(transport, run, (field) => void cacheControl.push(field)),
    clientPath: plan.clientPath,
  };
  if (plan.root !== undefined) {
    await runStep(plan.root, state);
    run.signal.throwIfAborted();
  }
  return writeResult(plan, state);
}

async function runStep(step: CompiledStep, state: RunState): Promise<void> {
  switch (step.kind) {
    case 'fetch':
      return await runFetch(step, state);
    case 'parallel':
      await Promise.all(step.steps.map((child) => runStep(child, state)));
      return;
    case 'sequence':
      for (const child of step.steps) {
        await runStep(child, state);
      }
  }
}

function writeResult(
  plan: CompiledPlan,
  { run, data, errors, cacheControl, missing }: RunState,
): ExecutionResult {
  const violations: ExecutionError[] = [];
  const text = plan.writeData(data, {
    introspection: plan.writeIntrospection(run.variables),
    missing,
    path: [],
    onViolation: (path, message) =>
      violations.push({
        kind: 'subrequest',
        code: 'SUBREQUEST_MALFORMED_RESPONSE',
        cause: new Error(message),
        path,
      }),
  });
  return { data: text ?? 'null', errors: [...errors, ...unexplained(violations, errors)], cacheControl };
}

/** The violations that no other error accounts for: one in the same place, above it or below it. */
function unexplained(
  violations: readonly ExecutionError[],
  errors: readonly ExecutionError[],
): readonly ExecutionError[] {
  if (violations.length === 0 || errors.length === 0) {
    return violations;
  }
  const paths = new Set(errors.flatMap(({ path }) => (path === undefined ? [] : [JSON.stringify(path)])));
  const above = new Set(errors.flatMap(({ path }) => prefixesOf(path ?? [])));
  return violations.filter(
    ({ path = [] }) =>
      !above.has(JSON.stringify(path)) && !prefixesOf(path).some((prefix) => paths.has(prefix)),
  );
}

function prefixesOf(path: ResponsePath): readonly string[] {
  return path.map((_key, index) => JSON.stringify(path.slice(0, index + 1)));
}
