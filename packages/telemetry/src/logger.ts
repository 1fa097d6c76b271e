import { pino } from 'pino';
import type { DestinationStream, Level, Logger as PinoLogger } from 'pino';

import { batchLines } from './batched-lines.ts';
import { createIsoTime } from './iso-time.ts';
import { redactSecrets } from './redaction.ts';
import { shortenLine } from './shorten-line.ts';

/** A structured logger: `logger.info({ accountId }, 'account created')`; an error goes under `err`. */
export type Logger = PinoLogger;

export type LogLevel = Level | 'silent';

export interface LoggerOptions {
  /** The name of the process, on every line. */
  readonly service: string;
  /** The lowest level that is written. Default: `info`. */
  readonly level?: LogLevel;
  /** The destination of each line. Default: standard output, in batches of 10 ms. */
  readonly destination?: DestinationStream;
}

/** Creates a logger. Each line is a JSON object of bounded length, without secrets. */
export function createLogger({ service, level = 'info', destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: createIsoTime(),
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: shortenLine },
    },
    destination === undefined ? standardOutput() : redacting(destination),
  );
}

/** Secrets are blanked in whole batches, which costs less than line by line. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: true });
  return batchLines((lines) => output.write(redactSecrets(lines)));
}

function redacting(destination: DestinationStream): DestinationStream {
  return { write: (line) => destination.write(redactSecrets(line)) };
}
