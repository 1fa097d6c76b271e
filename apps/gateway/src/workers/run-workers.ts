import cluster from 'node:cluster';
import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

import type { ListenAddress, RenderProblem, RunningService } from '@meridian/http';
import { createHttpServer, listen } from '@meridian/http';
import type { Logger, Metrics } from '@meridian/telemetry';

import { isYoungGenerationOption, youngGenerationOption } from '../process/memory-settings.ts';
import { watchWorkers } from './worker-metrics.ts';
import { createWorkersAdmin } from './workers-admin.ts';

export interface WorkersOptions {
  readonly workers: number;
  readonly admin: ListenAddress;
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

/** A worker that ended before it listened, with one line on standard error about the reason. */
export class WorkerStartError extends Error {}

/** The delay before a replacement that did not start is tried again, at first and at most. Milliseconds. */
const retryAfterMs = { first: 1000, longest: 30_000 };

/**
 * Runs the gateway in several processes that share its port: this one hands connections to them in turn, and answers
 * the admin listener for them all. A worker that ends is replaced, with retries if the new one does not start: a
 * configuration file may be invalid for a while.
 *
 * @throws {WorkerStartError} when the first ones do not start
 * @throws {ListenError}
 */
export async function runWorkers(options: WorkersOptions): Promise<RunningService> {
  const { workers, admin, logger, env } = options;
  cluster.setupPrimary({ execArgv: [...ownArguments(), youngGenerationOption] });
  const listening = new Map<Worker, WorkerListening>();
  let isStopping = false;

  const start = async (): Promise<WorkerListening> => {
    const worker = cluster.fork(env);
    worker.once('exit', (code, signal) => {
      const didListen = listening.delete(worker);
      if (didListen && !isStopping) {
        logger.error({ pid: worker.process.pid, code, signal }, 'a worker ended; replacing it');
        void replace();
      }
    });
    const where = await untilListening(worker);
    listening.set(worker, where);
    return where;
  };

  const replace = async (waitMs = retryAfterMs.first): Promise<void> => {
    if (isStopping) {
      return;
    }
    try {
      await start();
    } catch (error) {
      logger.error({ err: error, waitMs }, 'a worker could not be replaced; retrying');
      await delay(waitMs, undefined, { ref: false });
      await replace(Math.min(waitMs * 2, retryAfterMs.longest));
    }
  };

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
  // Only the first one reports a fault.
  const { address } = await start();
  await Promise.all(Array.from({ length: workers - 1 }, start));
  const pids = [...listening.keys()].map(({ process: { pid } }) => pid);
  logger.info({ address, adminAddress, workers, pids }, 'gateway is listening');

  const stop = async (): Promise<void> => {
    isStopping = true;
    const running = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(
      running.map(async (worker) => {
        const exited = once(worker, 'exit');
        worker.process.kill('SIGTERM');
        await exited;
      }),
    );
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
  worker.once('exit', () => reject(new WorkerStartError('a worker ended before it listened')));
  return await promise;
}

/** This process's arguments for Node, without a duplicate size. */
function ownArguments(): string[] {
  return process.execArgv.filter((argument) => !isYoungGenerationOption(argument));
}
