// The thread of `createPlannerThread`. Its data is the supergraph as text; each message is an operation with the
// labels that are set. The thread replies with `begun`, and then with the outcome. In between, it may load the supergraph
// again: it says `loading` before, and `begun` after.
import { parentPort, workerData } from 'node:worker_threads';

import { parse } from 'graphql';

import { createBuildPlan } from './build-plan.ts';
import type { PlanningResult } from './planner.ts';

/** The task of a planner thread. */
export interface PlannerTask {
  readonly operation: string;
  readonly labels: readonly string[];
}

if (parentPort === null || typeof workerData !== 'string') {
  throw new TypeError('This module runs only in a worker thread');
}
const port = parentPort;
const build = createBuildPlan(parse(workerData, { noLocation: true }), {
  onLoading: () => port.postMessage('loading'),
  onLoaded: () => port.postMessage('begun'),
});

port.on('message', ({ operation, labels }: PlannerTask) => {
  port.postMessage('begun');
  const startedMs = performance.now();
  const result = build(operation, labels);
  port.postMessage({ ...result, durationMs: performance.now() - startedMs } satisfies PlanningResult);
});
