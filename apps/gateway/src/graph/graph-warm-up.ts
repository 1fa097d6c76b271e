import { setImmediate } from 'node:timers/promises';

import type { Logger } from '@meridian/telemetry';

import type { CostRules } from '../config/traffic-limits.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Graph } from './graph.ts';
import type { WarmUpTask } from './warm-up-tasks.ts';
import { manifestTasks } from './warm-up-tasks.ts';

/** The extent of one warm-up. */
export interface WarmUpPlan {
  /** True when operations are also planned, not only compiled and checked. */
  readonly isPlanned: boolean;
  /** Tasks beside the operations of the manifest. */
  readonly others?: readonly WarmUpTask[];
  /** The number of the manifest's operations to wait for; the rest follow beside requests. Default: all. */
  readonly atOnce?: number;
}

/** Warms up graphs for manifests. A new warm-up ends the rest of the previous one. */
export class GraphWarmUp {
  readonly #options: { readonly cost: CostRules; readonly logger: Logger };
  readonly #unrunnable = new WeakMap<Graph, number>();
  #rest = new AbortController();

  constructor(options: { readonly cost: CostRules; readonly logger: Logger }) {
    this.#options = options;
  }

  /** Resolves when the graph is ready to take over. */
  async run(
    graph: Graph,
    manifest: Manifest | undefined,
    { isPlanned, others = [], atOnce = Number.POSITIVE_INFINITY }: WarmUpPlan,
  ): Promise<void> {
    this.stop();
    const { signal } = (this.#rest = new AbortController());
    let count = 0;
    const onUnrunnable = (): void => void (count += 1);
    const options = { ...this.#options, graph, isPlanned, onUnrunnable };
    const tasks = manifest === undefined ? [] : manifestTasks(manifest, options);
    await warmUp([...tasks.slice(0, atOnce), ...others], this.#options);
    this.#unrunnable.set(graph, count);
    // Beside requests, on a graph that stays open meanwhile.
    const release = graph.acquire();
    void warmUp(tasks.slice(atOnce), { ...this.#options, signal })
      .then(() => signal.aborted || this.#unrunnable.set(graph, count))
      .finally(release);
  }

  /** The operations of the manifest that the graph rejects. */
  unrunnableOn(graph: Graph): number {
    return this.#unrunnable.get(graph) ?? 0;
  }

  /** Ends a warm-up that goes on beside requests. */
  stop(): void {
    this.#rest.abort();
  }
}

export interface WarmUpOptions {
  readonly logger: Pick<Logger, 'info'>;
  /** Milliseconds, from any start. */
  readonly now?: () => number;
  /** Ends the warm-up before the next task. */
  readonly signal?: AbortSignal;
}

const reportEveryMs = 1000;

/** Runs tasks one after another, between requests, and logs its progress. */
export async function warmUp(
  tasks: readonly WarmUpTask[],
  { logger, now = () => performance.now(), signal }: WarmUpOptions,
): Promise<void> {
  if (tasks.length === 0) {
    return;
  }
  const total = tasks.length;
  const startedMs = now();
  let reportedMs = startedMs;
  logger.info({ done: 0, total }, 'warming up operations');
  for (const [done, task] of tasks.entries()) {
    if (signal?.aborted) {
      return;
    }
    if (now() - reportedMs >= reportEveryMs) {
      reportedMs = now();
      logger.info({ done, total }, 'warming up operations');
    }
    await task();
    await setImmediate();
  }
  logger.info({ done: total, total, durationMs: now() - startedMs }, 'operations warmed up');
}
