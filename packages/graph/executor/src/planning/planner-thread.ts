import { print } from 'graphql';

import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { Planner, PlanningResult } from './planner.ts';
import { PlannerBusyError } from './planner.ts';
import type { PlanningWorker } from './planning-worker.ts';
import { createPlanningWorker } from './planning-worker.ts';
import type { PlannerTask } from './run-planner.ts';

export interface PlannerThreadOptions {
  /** The longest time that one operation may take to plan, in milliseconds. Default: 3000. */
  readonly timeLimitMs?: number;
  /** The memory that a thread may use, in MiB. Default: 1024. */
  readonly memoryLimitMegabytes?: number;
  /** The number of operations that may wait. Default: 200. */
  readonly maxWaiting?: number;
  /** The time that an operation waits before a second thread starts, in milliseconds. Default: 200. */
  readonly timeoutMs?: number;
  /** The time after which an idle thread ends, in milliseconds; the next operation starts it again. Default: 30 000. */
  readonly maxIdleMs?: number;
  /** True: the thread starts with the first operation that is planned. Default: at once. */
  readonly isStartedLate?: boolean;
}

interface Job {
  readonly task: PlannerTask;
  readonly resolve: (result: PlanningResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Creates a planner in its own thread, so that planning delays no request whose operation is already planned.
 * An operation that takes too much time or memory is rejected.
 *
 * Callers take turns, and no caller has two operations planned at once. While one is slow, a second thread
 * plans the operations of others: it starts when one has waited for a while. Where no thread can be started, operations
 * wait for the one that runs; without one, they are rejected, and each operation tries to start it again.
 *
 * Idle threads end after a time, and do not keep an otherwise idle process alive.
 */
export function createPlannerThread(
  { plannerSchema }: Pick<Supergraph, 'plannerSchema'>,
  {
    timeLimitMs = 3000,
    memoryLimitMegabytes = 1024,
    maxWaiting = 200,
    timeoutMs = 200,
    maxIdleMs = 30_000,
    isStartedLate = false,
  }: PlannerThreadOptions = {},
): Planner {
  const workerOptions = { sdl: print(plannerSchema), timeLimitMs, memoryLimitMegabytes, maxIdleMs };
  const waiting = createFairQueue<Job>(maxWaiting);
  const busyCallers = new Set<string>();
  const first = createPlanningWorker(workerOptions);
  const workers = [first, createPlanningWorker(workerOptions)];
  let impatience: NodeJS.Timeout | undefined;
  let isClosed = false;
  const ended = Promise.withResolvers<void>();

  if (!isStartedLate) {
    first.tryStart();
  }

  const mayRun = (caller: string): boolean => !busyCallers.has(caller);

  function next(): void {
    if (waiting.size === 0) {
      endWhenClosed();
      return;
    }
    const ready = workers.find(({ isBusy, hasThread }) => !isBusy && hasThread);
    const worker = ready ?? (workers.some(({ isBusy }) => isBusy) ? undefined : first);
    if (worker === undefined) {
      impatience ??= setTimeout(startAnother, timeoutMs).unref();
      return;
    }
    const turn = waiting.take(mayRun);
    if (turn !== undefined) {
      void run(worker, turn.owner, turn.item);
      next();
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

  /** Where it cannot be started, the operations keep their places in the queue, and `next` sets the timer again. */
  function startAnother(): void {
    impatience = undefined;
    if (waiting.has(mayRun)) {
      workers.find(({ isBusy }) => !isBusy)?.tryStart();
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

/** Queued items, taken in turn by owner: one owner with many items delays only its own. */
export interface FairQueue<Item> {
  readonly size: number;
  /**
   * Adds an item after its owner's others. When the queue is full, the last item of the owner with the most
   * is dropped.
   *
   * @returns the dropped item: the added one itself when no other owner has more
   */
  add(owner: string, item: Item): Item | undefined;
  /** True when `take` would return an item. */
  has(mayHave: (owner: string) => boolean): boolean;
  /** Takes the next item of the owner whose turn it is, of those that may have one. */
  take(mayHave: (owner: string) => boolean): { readonly owner: string; readonly item: Item } | undefined;
}

export function createFairQueue<Item>(maxItems: number): FairQueue<Item> {
  // A Map keeps the order of insertion: the first owner is the one whose turn it is.
  const queues = new Map<string, Item[]>();
  let size = 0;

  const makePlace = (owner: string): Item | undefined => {
    const own = queues.get(owner)?.length ?? 0;
    const [longQueue] = [...queues].toSorted(([, one], [, other]) => other.length - one.length);
    if (longQueue === undefined || longQueue[1].length <= own + 1) {
      return undefined;
    }
    size -= 1;
    return longQueue[1].pop();
  };
  return {
    get size() {
      return size;
    },
    add(owner, item) {
      const dropped = size < maxItems ? undefined : makePlace(owner);
      if (size >= maxItems) {
        return item;
      }
      const queue = queues.get(owner) ?? [];
      queue.push(item);
      queues.set(owner, queue);
      size += 1;
      return dropped;
    },
    has: (mayHave) => queues.keys().some(mayHave),
    take(mayHave) {
      for (const [owner, queue] of queues) {
        const [item, ...rest] = queue;
        if (item !== undefined && mayHave(owner)) {
          queues.delete(owner);
          if (rest.length > 0) {
            queues.set(owner, rest);
          }
          size -= 1;
          return { owner, item };
        }
      }
      return undefined;
    },
  };
}
