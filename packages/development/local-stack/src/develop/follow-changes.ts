import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { once } from 'node:events';

import { watch } from 'chokidar';

import { checkout } from '../data-directory.ts';
import { describeFailure } from '../describe-failure.ts';
import type { Screen } from '../screen/screen.ts';
import type { Stack } from '../stack.ts';
import { composeGraph, publishGraph } from './compose-graph.ts';
import type { ComposedSubgraph } from './compose-graph.ts';

export interface FollowOptions {
  readonly watched: readonly string[];
  /** All subgraphs of the graph. */
  readonly subgraphs: readonly ComposedSubgraph[];
  readonly supergraphPath: string;
  readonly stack: Stack;
  readonly screen: Screen;
  readonly signal: AbortSignal;
}

/**
 * Keeps each watched subgraph, and the graph, up to date with their files, as long as these are valid. Resolves once
 * all are watched. Ends with the signal.
 */
export async function followChanges({ watched, signal, screen, ...options }: FollowOptions): Promise<void> {
  /** One change after another, because each composes all schemas. */
  let lastTurn = Promise.resolve();
  const follow = async (name: string): Promise<void> => {
    let isWaiting = false;
    const takeTurn = async (before: Promise<void>): Promise<void> => {
      await before;
      isWaiting = false;
      if (!signal.aborted) {
        await takeOver(name, { ...options, screen, signal });
      }
    };
    const onChange = (): void => {
      if (!isWaiting) {
        isWaiting = true;
        lastTurn = takeTurn(lastTurn);
      }
    };
    await watchFolder(join(checkout, 'apps', name), {
      counts: countsAsSource,
      onChange,
      onFailure: (error) =>
        screen.note(`changes of apps/${name} may go unseen: ${describeFailure(error)}`, 'bad'),
      signal,
    });
    screen.note(`apps/${name} is watched`, 'good');
  };
  await Promise.all(watched.map(follow));
}

/** True for a subgraph's sources; its tests and documents do not affect it. */
function countsAsSource(path: string): boolean {
  return path === 'schema.graphql' || /^(?:src|migrations)\/.*\.(?:ts|sql)$/u.test(path);
}

/** The subgraph first: the gateway must not request a field before its subgraph can serve it. */
async function takeOver(
  name: string,
  { stack, screen, subgraphs, supergraphPath, signal }: Omit<FollowOptions, 'watched'>,
): Promise<void> {
  try {
    const schema = await readSchema(name);
    const supergraphSdl = await composeGraph(subgraphs);
    const trial = await stack.tryOut(name);
    if ((await readSchema(name)) !== schema) {
      // It may have read a schema that is not in this supergraph. The change of the file has its own turn.
      await trial.end();
      return;
    }
    await trial.promote();
    if (await publishGraph(supergraphSdl, supergraphPath)) {
      screen.note('the gateway takes the new supergraph', 'good');
    }
  } catch (error) {
    if (!signal.aborted) {
      screen.note(`${name} keeps serving as it was: ${describeFailure(error)}`, 'bad');
    }
  }
}

function readSchema(name: string): Promise<string> {
  return readFile(join(checkout, 'apps', name, 'schema.graphql'), 'utf8');
}

/** The quiet time after a change: an editor writes a file in several steps, and a person changes several files. */
const settleMs = 150;

interface WatchFolderOptions {
  /** Called with a path below the folder. */
  readonly counts: (path: string) => boolean;
  readonly onChange: () => void;
  readonly onFailure: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/**
 * Calls back when a relevant file of a folder has changed (was written, replaced by a rename, removed or added) and
 * nothing more has changed for a moment. (`fs.watch` of a whole tree no longer notices a file that was replaced.)
 * Resolves once it watches. Ends with the signal.
 */
export async function watchFolder(
  folder: string,
  { counts, onChange, onFailure, signal }: WatchFolderOptions,
): Promise<void> {
  let settled: NodeJS.Timeout | undefined;
  const watcher = watch(folder, { ignoreInitial: true, ignored: /\/node_modules$/u });
  watcher.on('all', (_event, path) => {
    if (counts(relative(folder, path))) {
      clearTimeout(settled);
      settled = setTimeout(onChange, settleMs);
    }
  });
  watcher.on('error', onFailure);
  const end = async (): Promise<void> => {
    await once(signal, 'abort');
    clearTimeout(settled);
    await watcher.close();
  };
  await Promise.race([once(watcher, 'ready'), end()]);
}
