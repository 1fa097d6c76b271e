import { unwatchFile, watchFile } from 'node:fs';

/**
 * Calls `onChange` when one of the files changes, and returns what ends that. It looks at the files at intervals, as that
 * alone sees every way of changing one: written in place, renamed over, or a link that is set to another directory.
 */
export function watchFiles(paths: readonly string[], everyMs: number, onChange: () => void): () => void {
  const listener = (): void => onChange();
  for (const path of paths) {
    watchFile(path, { interval: everyMs, persistent: false }, listener);
  }
  return () => {
    for (const path of paths) {
      unwatchFile(path, listener);
    }
  };
}
