import { once } from 'node:events';
import { relative } from 'node:path';

import { watch } from 'chokidar';

/** The quiet time after a change: an editor writes a file in several steps, and a person changes several files. */
const settleMs = 150;

export interface WatchFolderOptions {
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
