import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

import { print } from 'graphql';

import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { Planner, PlanningResult } from './planner.ts';
import { PlannerBusyError } from './planner.ts';
import type { PlannerTask } from './run-planner.ts';

export interface PlannerThreadOptions {
  /** How long one operation may take to plan; 5000 unless told. */
  readonly timeLimitMs?: number;
  /** How much memory the planner may hold; 1024 unless told. */
  readonly memoryLimitMegabytes?: number;
  /** How many operations may wait; 200 unless told. */
  readonly maxWaiting?: number;
}

interface Job {
  readonly task: PlannerTask;
  readonly resolve: (result: PlanningResult) => void;
  readonly reject: (error: unknown) => void;
}

const advice = 'select less, or from fewer types at once';
const tooLong = `The operation takes too long to plan: ${advice}`;
const tooLarge = `The operation takes too much memory to plan: ${advice}`;

const youngGenerationMegabytes = 48;

/** Written in what this module is written in: a published package is JavaScript. */
const program = new URL(`./run-planner${extname(import.meta.url)}`, import.meta.url);

/**
 * Creates a planner in a thread of its own, so that planning holds up no request whose operation is planned. It plans one
 * operation after another. One that takes too long, or too much memory, is refused: its thread is ended, and another one takes
 * its place.
 *
 * The thread starts at once, and keeps no process alive that has nothing else to do.
 */
export function createPlannerThread(
  { planned }: Pick<Supergraph, 'planned'>,
  { timeLimitMs = 5000, memoryLimitMegabytes = 1024, maxWaiting = 200 }: PlannerThreadOptions = {},
): Planner {
  const sdl = print(planned);
  const waiting: Job[] = [];
  let current: Job | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const ended = Promise.withResolvers<void>();
  let thread: Worker | undefined = start();

  function start(): Worker {
    const started = new Worker(program, {
      workerData: sdl,
      // What the process was started with, such as a larger young generation or a preload, is not meant for a planner.
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: memoryLimitMegabytes,
        maxYoungGenerationSizeMb: youngGenerationMegabytes,
      },
    });
    started.unref();
    started.on('message', (message: 'begun' | PlanningResult) => {
      if (thread !== started) {
        return;
      }
      if (message === 'begun') {
        // Not before: a thread that has just started loads the supergraph first.
        timer = setTimeout(() => endThread(started), timeLimitMs);
      } else {
        settle((job) => job.resolve(message));
      }
    });
    started.on('error', (error) => {
      if (thread !== started) {
        return;
      }
      thread = undefined;
      const isOutOfMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      settle((job) => (isOutOfMemory ? job.resolve({ refusal: tooLarge }) : job.reject(error)));
    });
    return started;
  }

  function endThread(slow: Worker): void {
    thread = undefined;
    void slow.terminate();
    settle((job) => job.resolve({ refusal: tooLong, durationMs: timeLimitMs }));
  }

  function settle(how: (job: Job) => void): void {
    clearTimeout(timer);
    const job = current;
    current = undefined;
    if (job !== undefined) {
      how(job);
    }
    next();
  }

  function next(): void {
    current ??= waiting.shift();
    if (current !== undefined) {
      thread ??= start();
      thread.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
      thread.postMessage(current.task);
    } else if (isClosed) {
      void Promise.resolve(thread?.terminate()).then(() => ended.resolve());
      thread = undefined;
    } else {
      thread?.unref();
    }
  }

  return {
    plan: (operation, labels = []) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= maxWaiting) {
          reject(new PlannerBusyError());
          return;
        }
        waiting.push({ task: { operation, labels }, resolve, reject });
        if (current === undefined) {
          next();
        }
      }),
    close() {
      isClosed = true;
      if (current === undefined) {
        next();
      }
      return ended.promise;
    },
  };
}
