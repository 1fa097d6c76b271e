import { statSync } from 'node:fs';

/**
 * Calls `onChange` when one of the files has changed since this call, and returns what ends that. It looks at the files at
 * intervals, as that alone sees every way of changing one: written in place, renamed over, or a link that is set to another
 * directory. (`fs.watchFile` takes its first look some time after it returns, and misses a change before that.)
 */
export function watchFiles(paths: readonly string[], everyMs: number, onChange: () => void): () => void {
  let seen = paths.map(fingerprintOf).join();
  const timer = setInterval(() => {
    const now = paths.map(fingerprintOf).join();
    if (now !== seen) {
      seen = now;
      onChange();
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Differs after any change of the file; empty where there is none. */
function fingerprintOf(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? '' : `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}`;
}
