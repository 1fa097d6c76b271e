// The thread of `createPlannerThread`. Its data is the supergraph as text; each message is an operation, and is answered with
// `begun` and, in the end, what came of it.
import { parentPort, workerData } from 'node:worker_threads';

import { parse } from 'graphql';

import { createBuildPlan } from './build-plan.ts';

if (parentPort === null || typeof workerData !== 'string') {
  throw new TypeError('This is no program of its own');
}
const port = parentPort;
const build = createBuildPlan(parse(workerData, { noLocation: true }));

port.on('message', (operation: string) => {
  port.postMessage('begun');
  port.postMessage(build(operation));
});
