import { readFileSync } from 'node:fs';

import type { Supergraph } from '@meridian/executor';
import { SupergraphError, loadSupergraph } from '@meridian/executor';
import type { Logger } from '@meridian/telemetry';

import type { Graph } from './graph.ts';
import type { SerialQueue } from '../concurrency/serial-queue.ts';
import type { ReloadOutcome } from '../telemetry/reload-metrics.ts';
import { fingerprintFiles, watchFiles } from '../reload/watch-files.ts';

export interface GraphSourceOptions {
  readonly path: string;
  /** The graph that the first one replaces; absent at the start of the process. No reference to it is kept. */
  readonly previous: Graph | undefined;
  /** Makes the graph of a supergraph, ready for use; it replaces `previous`. */
  readonly create: (supergraph: Supergraph, previous: Graph | undefined) => Promise<Graph>;
  /** Serialises reloads with everything else that replaces the graph or needs it unchanged. */
  readonly queue: SerialQueue;
  /** Called after each attempt to load a changed file. */
  readonly onReload: (outcome: ReloadOutcome) => void;
  readonly logger: Logger;
  /** The interval between checks of the file, in milliseconds. */
  readonly checkEveryMs: number;
}

/** The current graph. */
export interface GraphSource {
  readonly current: () => Graph;
  readonly close: () => Promise<void>;
}

/**
 * Reads the supergraph, and again whenever its file changes. Requests under way keep their graph. An invalid
 * supergraph is rejected, with a log line, and the previous one stays.
 *
 * @throws {SupergraphError} when it cannot be read at the start
 */
export async function openGraph({
  path,
  previous,
  create,
  queue,
  onReload,
  logger,
  checkEveryMs,
}: GraphSourceOptions): Promise<GraphSource> {
  // Taken before the file is read, so that a change during the first load is noticed afterwards.
  const before = fingerprintFiles([path]);
  let graph = await create(readSupergraph(path), previous);
  const closing = new Set<Promise<void>>();

  const reload = async (): Promise<void> => {
    const replaced = graph;
    try {
      graph = await create(readSupergraph(path), replaced);
    } catch (error) {
      logger.error({ err: error }, 'invalid supergraph rejected; keeping the previous one');
      onReload('error');
      return;
    }
    onReload('success');
    logger.info('supergraph reloaded');
    const closed = replaced.close().finally(() => closing.delete(closed));
    closing.add(closed);
  };
  const stopWatching = watchFiles([path], checkEveryMs, () => void queue(reload), before);
  return {
    current: () => graph,
    async close() {
      stopWatching();
      await queue(() => Promise.resolve());
      await Promise.all([graph.close(), ...closing]);
    },
  };
}

function readSupergraph(path: string): Supergraph {
  let sdl: string;
  try {
    sdl = readFileSync(path, 'utf8');
  } catch (error) {
    const message = `Cannot load the supergraph: ${path} is not there or not readable; meridian-gateway compose makes one of subgraphs`;
    throw new SupergraphError(message, { cause: error });
  }
  return loadSupergraph(sdl);
}
