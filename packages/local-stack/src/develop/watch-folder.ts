import { once } from 'node:events';
import { relative } from 'node:path';

import { watch } from 'chokidar';

/** An editor writes a file in several steps, and a person several files. */
const settleMs = 150;

export interface WatchFolderOptions {
  /** Called with a path below the folder. */
  readonly counts: (path: string) => boolean;
  readonly onChange: () => void;
  readonly onFailure: (error: unknown) => void;
  readonly signal: AbortSignal;
}

/**
 * Calls back when something in a folder has changed that counts, and nothing more has for a moment: written in place, replaced by a
 * rename, removed or new. (`fs.watch` of a whole tree goes blind for a file that was replaced.) Settles when it
 * watches. Ends with the signal.
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
