import { readFileSync } from 'node:fs';

import type { Supergraph } from '@meridian/executor';
import { SupergraphError, loadSupergraph } from '@meridian/executor';

import type { SerialQueue } from '../concurrency/serial-queue.ts';
import type { ReloadRules } from '../reload/reloadable.ts';
import { createReloadable } from '../reload/reloadable.ts';
import { fingerprintFiles } from '../reload/watch-files.ts';
import type { Graph } from './graph.ts';

export interface GraphSourceOptions extends ReloadRules {
  readonly path: string;
  /** The graph that the first one replaces; absent at the start of the process. No reference to it is kept. */
  readonly previous: Graph | undefined;
  /** Makes the graph of a supergraph, ready for use; it replaces `previous`. */
  readonly create: (supergraph: Supergraph, previous: Graph | undefined) => Promise<Graph>;
  /** Called after a new graph has taken over; resolves when no use of the previous one depends on it. */
  readonly onReplaced: () => Promise<void>;
  /** Serialises reloads with everything else that replaces the graph or needs it unchanged. */
  readonly queue: SerialQueue;
}

export type GraphSource = Awaited<ReturnType<typeof openGraph>>;

/**
 * Reads the supergraph, and again whenever its file changes. Requests under way keep their graph.
 *
 * @throws {SupergraphError} when it cannot be read at the start
 */
export async function openGraph(options: GraphSourceOptions) {
  const { path, previous, create, onReplaced, ...rules } = options;
  const seen = fingerprintFiles([path]);
  let graph = await create(readSupergraph(path), previous);
  const closing = new Set<Promise<void>>();
  const reloadable = createReloadable({
    part: 'supergraph',
    paths: [path],
    seen,
    read: () => readSupergraph(path),
    async apply(supergraph) {
      const replaced = graph;
      graph = await create(supergraph, replaced);
      const closed = replaced.close().finally(() => closing.delete(closed));
      closing.add(closed);
      await onReplaced();
    },
    ...rules,
  });
  return {
    current: (): Graph => graph,
    /** Keeps the current graph from now on. */
    stopReloads: (): void => void reloadable.close(),
    async close(): Promise<void> {
      await reloadable.close();
      await Promise.all([graph.close(), ...closing]);
    },
  };
}

function readSupergraph(path: string): Supergraph {
  let sdl: string;
  try {
    sdl = readFileSync(path, 'utf8');
  } catch (error) {
    const remedy = path.includes('://')
      ? 'it takes a path, or a URL that starts with https://, s3:// or oci://'
      : 'meridian-gateway compose makes one of subgraphs';
    const message = `Cannot load the supergraph: ${path} is not there or not readable; ${remedy}`;
    throw new SupergraphError(message, { cause: error });
  }
  return loadSupergraph(sdl);
}
