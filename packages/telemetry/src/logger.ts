import { pino } from 'pino';
import type { DestinationStream, Level, Logger as PinoLogger } from 'pino';

import { redactSecrets } from './redaction.ts';

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

/** A logger that writes one JSON object a line, and from which secrets are redacted. */
export function createLogger({ service, level = 'info', destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: redactSecrets },
    },
    destination ?? pino.destination({ fd: 1, sync: true }),
  );
}
