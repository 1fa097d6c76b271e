import cluster from 'node:cluster';
import process from 'node:process';
import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import type { ListenAddress, RenderProblem, RunningService } from '@meridian/http';
import { createHttpServer, listen } from '@meridian/http';
import type { Logger, Metrics } from '@meridian/telemetry';
import { Gauge } from 'prom-client';

import { isYoungGenerationOption, youngGenerationOption } from '../program/memory-settings.ts';
import { awaitHeartbeats } from './heartbeats.ts';
import { closeUndelivered } from './undelivered-connections.ts';
import { createWorkersAdmin } from './workers-admin.ts';

export interface WorkersOptions {
  readonly workers: number;
  readonly admin: ListenAddress;
  /** The time that a stopping worker has for its requests, in milliseconds. */
  readonly shutdownGraceMs: number;
  /** The time in which the event loop of a worker has to turn, in milliseconds; one that hangs longer is replaced. */
  readonly workerTimeoutMs: number;
  readonly renderProblem: RenderProblem;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Environment variables of the workers, in addition to this process's. */
  readonly env: Readonly<Record<string, string>>;
}

/** The message of a worker that listens. */
export interface WorkerListening {
  readonly address: ListenAddress;
  readonly adminAddress: ListenAddress;
}

/** A worker that ended before it listened. If it ended by itself, it has written the reason to standard error. */
export class WorkerStartError extends Error {
  override readonly name = 'WorkerStartError';
  readonly signal: NodeJS.Signals | null;

  constructor(signal: NodeJS.Signals | null) {
    super(`A worker ended before it listened${signal === null ? '' : `, by ${signal}`}`);
    this.signal = signal;
  }
}

/** The delay before a worker that did not start is tried again, at first and at most. Milliseconds. */
const retryAfterMs = { first: 1000, max: 30_000 };
/** A worker that works ends within its grace period; this much longer proves that it hangs. Milliseconds. */
const maxExitMs = 500;

/**
 * Runs the gateway in several processes that share its port: this one hands connections to them in turn, and answers
 * the admin listener for them all. Resolves when the first one listens; the others follow. A worker that ends is
 * replaced, with retries if the new one does not start: a configuration file may be invalid for a while. A worker that
 * hangs, or does not stop in time, is ended, and no worker outlives this process.
 *
 * @throws {WorkerStartError} when the first one does not start
 * @throws {ListenError}
 */
export async function runWorkers(options: WorkersOptions): Promise<RunningService> {
  const { workers, admin, logger, env, shutdownGraceMs } = options;
  cluster.setupPrimary({ execArgv: [...ownArguments(), youngGenerationOption] });
  const listening = new Map<Worker, WorkerListening>();
  const heartbeats = awaitHeartbeats(options.workerTimeoutMs, logger);
  let isStopping = false;

  const start = async (): Promise<WorkerListening> => {
    const worker = cluster.fork(env);
    closeUndelivered(worker);
    worker.once('exit', (code, signal) => {
      const didListen = listening.delete(worker);
      if (didListen && !isStopping) {
        logger.error({ pid: worker.process.pid, code, signal }, 'a worker ended; replacing it');
        void startWithRetries();
      }
    });
    const where = await untilListening(worker);
    listening.set(worker, where);
    heartbeats.watch(worker);
    return where;
  };

  const startWithRetries = async (waitMs = retryAfterMs.first): Promise<void> => {
    try {
      await start();
    } catch (error) {
      if (isStopping) {
        return;
      }
      logger.error({ err: error, waitMs }, 'a worker did not start; retrying');
      await delay(waitMs, undefined, { ref: false });
      if (!isStopping) {
        await startWithRetries(Math.min(waitMs * 2, retryAfterMs.max));
      }
    }
  };

  process.once('exit', () => {
    for (const worker of runningWorkers()) {
      worker.process.kill('SIGKILL');
    }
  });
  watchWorkers(options.metrics, workers, () => listening.size);
  const adminServer = createHttpServer({
    ...options,
    handler: createWorkersAdmin({
      ...options,
      workers: () =>
        [...listening].map(([{ id }, { adminAddress }]) => ({
          name: String(id),
          adminUrl: `http://${adminAddress.host}:${adminAddress.port}`,
        })),
      isStopping: () => isStopping,
    }),
  });
  const adminAddress = await listen(adminServer.server, admin);
  const { address } = await start();
  const startOthers = async (): Promise<void> => {
    await Promise.all(Array.from({ length: workers - 1 }, () => startWithRetries()));
    if (!isStopping) {
      const pids = [...listening.keys()].map(({ process: { pid } }) => pid);
      logger.info({ address, adminAddress, workers, pids }, 'gateway is listening');
    }
  };
  void startOthers();

  const stop = async (): Promise<void> => {
    isStopping = true;
    // A stop has a limit of its own.
    heartbeats.close();
    const timeoutMs = shutdownGraceMs + maxExitMs;
    await Promise.all(runningWorkers().map((worker) => stopWorker(worker, timeoutMs, logger)));
    adminServer.server.close();
    adminServer.connections.closeAll();
  };
  let stopped: Promise<void> | undefined;
  return { address, adminAddress, stop: () => (stopped ??= stop()) };
}

/** Resolves with the worker's message, once it listens. */
async function untilListening(worker: Worker): Promise<WorkerListening> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerListening>();
  worker.once('message', resolve);
  worker.once('exit', (_code: number | null, signal: NodeJS.Signals | null) =>
    reject(new WorkerStartError(signal)),
  );
  return await promise;
}

/** Stops a worker in order, or ends it when the time is over: one that hangs does not handle a signal. */
async function stopWorker(worker: Worker, timeoutMs: number, logger: Logger): Promise<void> {
  const exited = once(worker, 'exit');
  worker.process.kill('SIGTERM');
  const cutOff = setTimeout(() => {
    logger.error({ pid: worker.process.pid, timeoutMs }, 'a worker did not stop in time; ending it');
    worker.process.kill('SIGKILL');
  }, timeoutMs);
  await exited;
  clearTimeout(cutOff);
}

function runningWorkers(): readonly Worker[] {
  return Object.values(cluster.workers ?? {})
    .filter((worker) => worker !== undefined)
    .filter((worker) => !worker.isDead());
}

/** This process's arguments for Node, without a duplicate size. */
function ownArguments(): string[] {
  return process.execArgv.filter((argument) => !isYoungGenerationOption(argument));
}

/** Registers the numbers of configured and of listening workers; `listening` returns the latter at each scrape. */
export function watchWorkers({ registry }: Metrics, configured: number, listening: () => number): void {
  const registers = [registry];
  new Gauge({
    name: 'meridian_workers_configured',
    help: 'Configured workers.',
    registers,
  }).set(configured);
  void new Gauge({
    name: 'meridian_workers_listening',
    help: 'Listening workers.',
    registers,
    collect() {
      this.set(listening());
    },
  });
}
