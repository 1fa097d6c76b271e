import process from 'node:process';

/** Takes whole lines of the log, each with its line feed. */
export interface LineWriter {
  write(line: string): void;
  /** Writes the waiting lines at once. */
  flushSync(): void;
}

/** The longest time that a line waits. */
const maxDelayMs = 10;
/** The number of bytes at which a batch is written at once. */
const maxBatchBytes = 65_536;
/** The longest line that a batch takes, in UTF-16 code units. */
const maxLineLength = 16_384;
/** UTF-8 takes at most three bytes for a UTF-16 code unit. */
const bytesPerUnit = 3;

/**
 * Writes the lines of a few milliseconds together: a write for each line costs a busy server more than the rest of its
 * logging. Nothing is lost when the process ends by itself, by `process.exit` or by an uncaught error. A process that
 * is killed (SIGKILL, out of memory) loses the lines of its last 10 ms.
 *
 * @param writeBatch gets whole lines as UTF-8. The next batch replaces the bytes
 */
export function batchLines(writeBatch: (lines: Buffer) => void): LineWriter {
  // Bytes: a text of thousands of added pieces is slow to read once they have left the processor's cache.
  // There is room for the longest line after the largest batch that is not yet written.
  const batch = Buffer.allocUnsafeSlow(maxBatchBytes + maxLineLength * bytesPerUnit);
  let length = 0;
  const flushSync = (): void => {
    const lines = batch.subarray(0, length);
    length = 0;
    if (lines.length > 0) {
      writeBatch(lines);
    }
  };
  process.on('exit', flushSync);
  return {
    write(line) {
      if (line.length > maxLineLength) {
        flushSync();
        writeBatch(Buffer.from(line));
        return;
      }
      if (length === 0) {
        setTimeout(flushSync, maxDelayMs);
      }
      length += batch.write(line, length);
      if (length >= maxBatchBytes) {
        flushSync();
      }
    },
    flushSync,
  };
}
