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
  /** The least important level that is written; `info` by default. */
  readonly level?: LogLevel;
  /** Where each line goes. Default: standard output, the lines of 10 ms together. */
  readonly destination?: DestinationStream;
}

/** A logger that writes one JSON object a line, without secrets and of bounded length, whatever it is given. */
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

/** Secrets are blanked in a batch as a whole, at less cost than line by line. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ fd: 1, sync: true });
  return batchLines((lines) => output.write(redactSecrets(lines)));
}

function redacting(destination: DestinationStream): DestinationStream {
  return { write: (line) => destination.write(redactSecrets(line)) };
}
