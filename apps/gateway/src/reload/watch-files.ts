import { statSync } from 'node:fs';

/** A fingerprint of files. It differs after any change of one. */
export type FileFingerprints = string;

/** The paths of files, or a function that finds them at each check. */
export type FilePaths = readonly string[] | (() => readonly string[]);

/**
 * Calls `onChange` when one of the files has changed since it was seen, and returns what ends that. It looks at the files at
 * intervals, as that alone sees every way of changing one: written in place, renamed over, or a link that is set to another
 * directory. (`fs.watchFile` takes its first look some time after it returns, and misses a change before that.)
 *
 * @param before as the files were before they were read; now, unless given
 */
export function watchFiles(
  paths: FilePaths,
  everyMs: number,
  onChange: () => void,
  before = fingerprintFiles(paths),
): () => void {
  let seen = before;
  const timer = setInterval(() => {
    const now = fingerprintFiles(paths);
    if (now !== seen) {
      seen = now;
      onChange();
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Looks at files. */
export function fingerprintFiles(paths: FilePaths): FileFingerprints {
  return (typeof paths === 'function' ? paths() : paths).map(fingerprintOf).join();
}

/** Empty for a file that is missing or cannot be examined now; reading it reports why. */
function fingerprintOf(path: string): string {
  try {
    const { dev, ino, size, mtimeNs } = statSync(path, { bigint: true });
    return `${dev}:${ino}:${size}:${mtimeNs}`;
  } catch {
    return '';
  }
}
