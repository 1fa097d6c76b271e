import process from 'node:process';

import type { Logger } from '@meridian/telemetry';

import { ListenError } from '../server/listen.ts';
import type { RunningService } from './run-service.ts';
import { exitOnSignals, stopOnSignals } from './stop-on-signals.ts';

export interface ProcessOptions {
  readonly name: string;
  readonly logger: Logger;
  /** Connects to what the service needs, and runs it. */
  readonly start: () => Promise<RunningService>;
}

/**
 * Runs a process: starts its service, and stops it on SIGTERM and SIGINT. Before the start, these end the process at
 * once. If the start fails, the process ends with exit code 1 and the reason, without a stack, on standard error.
 */
export async function runProcess({ name, logger, start }: ProcessOptions): Promise<RunningService> {
  const hasStarted = exitOnSignals();
  try {
    const service = await start();
    stopOnSignals(service, logger);
    hasStarted();
    return service;
  } catch (error) {
    return exitUnstarted(error, { name, logger });
  }
}

function exitUnstarted(error: unknown, { name, logger }: Pick<ProcessOptions, 'name' | 'logger'>): never {
  // A port in use needs no stack; any other error may be a bug.
  if (!(error instanceof ListenError)) {
    logger.fatal({ err: error }, 'cannot start');
  }
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${name} cannot start: ${reason.trim()}\n`);
  process.exit(1);
}
