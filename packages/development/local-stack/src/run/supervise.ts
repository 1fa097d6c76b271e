import { setTimeout as delay } from 'node:timers/promises';

/** A process that runs until it is stopped or ends by itself. */
export interface Running {
  /** Resolves when it is ready; never if it ends before. */
  readonly ready: Promise<void>;
  /** Resolves when it has ended, with the way it ended, such as `was killed by SIGKILL`. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
  /** Kills it at once. */
  kill(): void;
  /** Directs requests to it. Absent for a process that listens where they come. */
  direct?(): void;
}

/** The health of a supervised process. */
export type Health =
  | { readonly is: 'starting' | 'ready' | 'stopping' | 'stopped' }
  | { readonly is: 'down'; readonly how: string; readonly nextTryInMs: number };

/** A process that is kept running. */
export type Supervisor = ReturnType<typeof supervise>;

export interface SuperviseOptions {
  readonly start: () => Promise<Running>;
  readonly onHealth: (health: Health) => void;
  /** Creates the error of a first start that ended like this. */
  readonly failure: (how: string) => Error;
  /** Waits before the next attempt; tests do not. */
  readonly pause?: (pauseMs: number, signal: AbortSignal) => Promise<void>;
}

const firstPauseMs = 500;
const maxPauseMs = 10_000;

/** A process that was ready for this long has recovered: its next end counts as the first failure. */
const recoveredAfterMs = 30_000;

/**
 * Keeps a process running. A failure of the first start is final. Later it is started again whenever it ends, after a
 * pause that doubles with each failure. A successor takes over at once.
 */
export function supervise({ start, onHealth, failure, pause = wait }: SuperviseOptions) {
  const stopping = new AbortController();
  const started = Promise.withResolvers<void>();
  // Stopping it during the start must not wait for the start.
  started.promise.catch(() => undefined);
  let current: Running | undefined;
  let successor: Running | undefined;
  let pausing = new AbortController();
  let wasReady = false;

  /** The successor, if there is one, or else a new process. */
  const next = async (): Promise<Running> => {
    const started = successor ?? (await start());
    const running = successor ?? started;
    if (running !== started) {
      // It was replaced before it had started.
      await started.stop();
    }
    successor = undefined;
    running.direct?.();
    return running;
  };

  /** Runs it once, until it ends. */
  const runOnce = async (): Promise<{ how: string; readyForMs: number }> => {
    onHealth({ is: 'starting' });
    current = await next();
    if (stopping.signal.aborted) {
      await current.stop();
    }
    const end = await Promise.race([current.ready, current.ended]);
    if (end !== undefined) {
      return { how: end, readyForMs: 0 };
    }
    const readySinceMs = performance.now();
    wasReady = true;
    if (!stopping.signal.aborted) {
      onHealth({ is: 'ready' });
    }
    started.resolve();
    return { how: await current.ended, readyForMs: performance.now() - readySinceMs };
  };

  const runAgain = (): Promise<{ how: string; readyForMs: number }> =>
    runOnce().catch((error: unknown) => ({
      how: `does not start: ${error instanceof Error ? error.message : String(error)}`,
      readyForMs: 0,
    }));

  const keepRunning = async (): Promise<void> => {
    let { how, readyForMs } = await runOnce();
    if (!wasReady) {
      throw failure(how);
    }
    let failures = 0;
    while (!stopping.signal.aborted) {
      failures = successor !== undefined || readyForMs > recoveredAfterMs ? 0 : failures;
      if (successor === undefined) {
        const nextTryInMs = Math.min(firstPauseMs * 2 ** failures, maxPauseMs);
        failures += 1;
        onHealth({ is: 'down', how, nextTryInMs });
        pausing = new AbortController();
        await pause(nextTryInMs, AbortSignal.any([stopping.signal, pausing.signal]));
      }
      if (!stopping.signal.aborted) {
        ({ how, readyForMs } = await runAgain());
      }
    }
  };
  const over = keepRunning().catch((error: unknown) => started.reject(error));

  const stop = async (): Promise<void> => {
    onHealth({ is: 'stopping' });
    stopping.abort();
    await Promise.all([current?.stop(), successor?.stop()]);
    await over;
    onHealth({ is: 'stopped' });
  };
  let stopped: Promise<void> | undefined;
  return {
    /** Resolves when it is ready for the first time; rejects if it cannot be started or ends before. */
    started: started.promise,
    /** Continues with a process that is ready already; resolves when the previous one has ended. */
    async replace(running: Running): Promise<void> {
      successor = running;
      running.direct?.();
      pausing.abort();
      await current?.stop();
    },
    /** Stops it for good. Stopping again waits for the same end. */
    stop: (): Promise<void> => (stopped ??= stop()),
    kill(): void {
      current?.kill();
      successor?.kill();
    },
  };
}

/** Waits until the time is over or the process is stopped. */
async function wait(pauseMs: number, signal: AbortSignal): Promise<void> {
  await delay(pauseMs, undefined, { signal }).catch(() => undefined);
}
