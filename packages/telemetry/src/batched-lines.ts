import process from 'node:process';

/** Takes whole lines of the log, each with its line feed. */
export interface LineWriter {
  write(line: string): void;
  /** Writes the waiting lines at once. */
  flushSync(): void;
}

/** The longest time that a line waits. */
const longestDelayMs = 10;
/** The number of characters at which a batch is written at once. */
const largestBatch = 65_536;

/**
 * Writes the lines of a few milliseconds together: a write for each line costs a busy server more than the rest of its
 * logging. Nothing is lost when the process ends by itself, by `process.exit` or by an uncaught error. A process that
 * is killed (SIGKILL, out of memory) loses the lines of its last 10 ms.
 */
export function batchLines(writeBatch: (lines: string) => void): LineWriter {
  let batch = '';
  const flushSync = (): void => {
    const lines = batch;
    batch = '';
    if (lines !== '') {
      writeBatch(lines);
    }
  };
  process.on('exit', flushSync);
  return {
    write(line) {
      if (batch === '') {
        setTimeout(flushSync, longestDelayMs);
      }
      batch += line;
      if (batch.length >= largestBatch) {
        flushSync();
      }
    },
    flushSync,
  };
}
