import { pino } from 'pino';
import type { DestinationStream, Level, Logger as PinoLogger } from 'pino';

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
  /** Where lines go; standard output by default. */
  readonly destination?: DestinationStream;
}

/** A logger that writes one JSON object a line, without secrets and of bounded length, whatever it is given. */
export function createLogger({ service, level = 'info', destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: (line) => redactSecrets(shortenLine(line)) },
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  );
}
