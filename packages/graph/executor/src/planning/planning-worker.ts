import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

import type { PlanningResult } from './planner.ts';
import { PlannerBusyError } from './planner.ts';
import type { PlannerTask } from './run-planner.ts';

export interface PlanningWorkerOptions {
  readonly sdl: string;
  readonly timeLimitMs: number;
  readonly memoryLimitMegabytes: number;
  /** An idle thread ends after this time, and gives its memory back: the next call starts another. Milliseconds. */
  readonly maxIdleMs: number;
}

/** A thread that plans one operation at a time. */
export interface PlanningWorker {
  readonly isBusy: boolean;
  /** False before the first call, and after its thread ended. */
  readonly hasThread: boolean;
  /**
   * Starts the thread before the first operation comes. It has no effect where the system cannot start one: the next
   * call tries again.
   */
  tryStart(): void;
  /**
   * Plans an operation. One that takes too much time or memory is rejected: its thread is ended, and the next call
   * starts another.
   *
   * @throws {PlannerBusyError} where the system cannot start a thread now
   */
  plan(task: PlannerTask): Promise<PlanningResult>;
  close(): Promise<void>;
}

const advice = 'select less, or from fewer types at once';
const tooLong = `The operation takes too long to plan: ${advice}`;
const tooLarge = `The operation takes too much memory to plan: ${advice}`;

const youngGenerationMegabytes = 48;

/** The same file type as this module: a published package is JavaScript. */
const program = new URL(`./run-planner${extname(import.meta.url)}`, import.meta.url);

/** Creates a worker without a thread. Its thread does not keep an otherwise idle process alive. */
export function createPlanningWorker(options: PlanningWorkerOptions): PlanningWorker {
  const { sdl, timeLimitMs, memoryLimitMegabytes, maxIdleMs } = options;
  let thread: Worker | undefined;
  let current: ReturnType<typeof Promise.withResolvers<PlanningResult>> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let idleTimer: NodeJS.Timeout | undefined;

  function start(): Worker {
    const started = new Worker(program, {
      workerData: sdl,
      // Options of the process, such as a larger young generation or a preload, are not meant for a planner.
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: memoryLimitMegabytes,
        maxYoungGenerationSizeMb: youngGenerationMegabytes,
      },
    });
    started.unref();
    started.on('message', (message: 'begun' | 'loading' | PlanningResult) => {
      if (thread !== started) {
        return;
      }
      if (message === 'begun' || message === 'loading') {
        clearTimeout(timer);
        // The time in which a thread loads the supergraph does not count.
        timer = message === 'begun' ? setTimeout(() => endThread(started), timeLimitMs) : undefined;
      } else {
        settle()?.resolve(message);
      }
    });
    started.on('error', (error) => {
      if (thread !== started) {
        return;
      }
      thread = undefined;
      const job = settle();
      if (hasCode(error, 'ERR_WORKER_OUT_OF_MEMORY')) {
        job?.resolve({ rejection: tooLarge });
      } else {
        job?.reject(errorOf(error));
      }
    });
    return started;
  }

  function endThread(slow: Worker): void {
    thread = undefined;
    void slow.terminate();
    settle()?.resolve({ rejection: tooLong, durationMs: timeLimitMs });
  }

  /** Ends the job; the caller decides its outcome. */
  function settle(): typeof current {
    clearTimeout(timer);
    const job = current;
    current = undefined;
    thread?.unref();
    clearTimeout(idleTimer);
    idleTimer = setTimeout(() => void end(), maxIdleMs).unref();
    return job;
  }

  async function end(): Promise<void> {
    clearTimeout(idleTimer);
    const last = thread;
    thread = undefined;
    await last?.terminate();
  }

  return {
    get isBusy() {
      return current !== undefined;
    },
    get hasThread() {
      return thread !== undefined;
    },
    tryStart() {
      try {
        thread ??= start();
      } catch {
        // `plan` tries again, and reports it.
      }
    },
    async plan(task) {
      try {
        thread ??= start();
      } catch (error) {
        throw errorOf(error);
      }
      clearTimeout(idleTimer);
      const job = Promise.withResolvers<PlanningResult>();
      current = job;
      thread.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is not a window
      thread.postMessage(task);
      return await job.promise;
    },
    close: end,
  };
}

/** A thread that the system cannot start, at once or before it runs its program, is a shortage that may pass. */
function errorOf(error: unknown): unknown {
  return hasCode(error, 'ERR_WORKER_INIT_FAILED')
    ? new PlannerBusyError('The thread that plans operations cannot be started', { cause: error })
    : error;
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
