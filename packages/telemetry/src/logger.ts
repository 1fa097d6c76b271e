import { pino } from 'pino';
import type { DestinationStream, Level, Logger as PinoLogger } from 'pino';

import { redactSecrets } from './redaction.ts';

/** A structured logger: `logger.info({ accountId }, 'account created')`; an error goes under `err`. */
export type Logger = PinoLogger;

export interface LoggerOptions {
  /** The name of the process, on every line. */
  readonly service: string;
  /** The least important level that is written; `info` unless told. */
  readonly level?: Level | 'silent';
  /** Where lines go; standard output unless told. */
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
