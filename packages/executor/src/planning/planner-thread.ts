import { print } from 'graphql';

import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { createFairQueue } from './fair-queue.ts';
import type { Planner, PlanningResult } from './planner.ts';
import { PlannerBusyError } from './planner.ts';
import type { PlanningWorker } from './planning-worker.ts';
import { createPlanningWorker } from './planning-worker.ts';
import type { PlannerTask } from './run-planner.ts';

export interface PlannerThreadOptions {
  /** How long one operation may take to plan. Default: 3000. */
  readonly timeLimitMs?: number;
  /** How much memory a thread may hold. Default: 1024. */
  readonly memoryLimitMegabytes?: number;
  /** How many operations may wait. Default: 200. */
  readonly maxWaiting?: number;
  /** How long an operation waits for the thread before a second one is started. Default: 200. */
  readonly timeoutMs?: number;
}

interface Job {
  readonly task: PlannerTask;
  readonly resolve: (result: PlanningResult) => void;
  readonly reject: (error: unknown) => void;
}

const maxThreads = 2;

/**
 * Creates a planner in a thread of its own, so that planning holds up no request whose operation is planned. An operation that takes
 * too long, or too much memory, is refused.
 *
 * Callers take turns, and no caller has two operations planned at once. While one is slow, a second thread plans those of others: it
 * is started when one has waited for a while, and stays. Threads keep no process alive that has nothing else to do.
 */
export function createPlannerThread(
  { plannerSchema }: Pick<Supergraph, 'plannerSchema'>,
  {
    timeLimitMs = 3000,
    memoryLimitMegabytes = 1024,
    maxWaiting = 200,
    timeoutMs = 200,
  }: PlannerThreadOptions = {},
): Planner {
  const workerOptions = { sdl: print(plannerSchema), timeLimitMs, memoryLimitMegabytes };
  const waiting = createFairQueue<Job>(maxWaiting);
  const busyCallers = new Set<string>();
  let workers: readonly PlanningWorker[] = [createPlanningWorker(workerOptions)];
  let impatience: NodeJS.Timeout | undefined;
  let isClosed = false;
  const ended = Promise.withResolvers<void>();

  const nextRunnable = (): ReturnType<typeof waiting.take> =>
    waiting.take((caller) => !busyCallers.has(caller));

  function next(): void {
    const worker = workers.find(({ isBusy }) => !isBusy);
    const turn = worker && nextRunnable();
    if (worker !== undefined && turn !== undefined) {
      void run(worker, turn.owner, turn.item);
      next();
    } else if (waiting.size === 0) {
      endWhenClosed();
    } else if (worker === undefined && workers.length < maxThreads) {
      impatience ??= setTimeout(addWorker, timeoutMs).unref();
    }
  }

  async function run(worker: PlanningWorker, caller: string, { task, resolve, reject }: Job): Promise<void> {
    busyCallers.add(caller);
    try {
      resolve(await worker.plan(task));
    } catch (error) {
      reject(error);
    } finally {
      busyCallers.delete(caller);
      next();
    }
  }

  function addWorker(): void {
    impatience = undefined;
    const turn = workers.every(({ isBusy }) => isBusy) ? nextRunnable() : undefined;
    if (turn !== undefined) {
      const worker = createPlanningWorker(workerOptions);
      workers = [...workers, worker];
      void run(worker, turn.owner, turn.item);
    }
    next();
  }

  function endWhenClosed(): void {
    if (isClosed && busyCallers.size === 0) {
      void Promise.all(workers.map((worker) => worker.close())).then(() => ended.resolve());
    }
  }

  return {
    plan: (operation, labels = [], caller = '') =>
      new Promise((resolve, reject) => {
        const dropped = waiting.add(caller, { task: { operation, labels }, resolve, reject });
        dropped?.reject(new PlannerBusyError());
        next();
      }),
    close() {
      isClosed = true;
      next();
      return ended.promise;
    },
  };
}
