import process from 'node:process';

/** Takes whole lines of the log, each with its line feed. */
export interface LineWriter {
  write(line: string): void;
  /** Writes what is kept, at once. */
  flushSync(): void;
}

/** Characters after which a batch is written before the turn ends. */
const largestBatch = 65_536;

/**
 * Writes the lines of one turn of the event loop together: a write for each line costs a busy server as much as the rest of
 * its logging. Nothing is lost when the process ends by itself, by `process.exit` or by an uncaught error.
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
        setImmediate(flushSync);
      }
      batch += line;
      if (batch.length >= largestBatch) {
        flushSync();
      }
    },
    flushSync,
  };
}
