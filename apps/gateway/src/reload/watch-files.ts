import { statSync } from 'node:fs';

/** A fingerprint of files. It differs after any change of one. */
export type FileFingerprints = string;

/** The paths of files, or a function that finds them at each check. */
export type FilePaths = readonly string[] | (() => readonly string[]);

/**
 * Calls `onChange` when one of the files has changed. The returned function ends the watch. It polls, which alone
 * detects every way of changing a file: written in place, renamed over, or a link that is set to another directory.
 * (`fs.watchFile` polls first some time after it returns, and misses an earlier change.)
 *
 * @param before the fingerprint from before the files were read. Default: taken now
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

/** Fingerprints files. */
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
