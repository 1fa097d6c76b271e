import process from 'node:process';

import type { Logger } from '@meridian/telemetry';

import type { RunningService } from './run-service.ts';

/**
 * Ends a process that has no work yet on SIGTERM and SIGINT, at once, with exit code 0. The returned function stops
 * that.
 */
export function exitOnSignals(): () => void {
  process.on('SIGTERM', exitInOrder).on('SIGINT', exitInOrder);
  return () => process.off('SIGTERM', exitInOrder).off('SIGINT', exitInOrder);
}

function exitInOrder(): void {
  process.exit(0);
}

/** A terminal and a parent often both send a signal: one that follows this soon counts as the same. */
const sameSignalMs = 1000;

/**
 * Ends the process on SIGTERM and SIGINT: the service stops without losing a request, then the exit code is 0. A second
 * signal within a second counts as the same; a later one ends the process at once, with exit code 1.
 */
export function stopOnSignals(service: Pick<RunningService, 'stop'>, logger: Logger): void {
  let firstSignalMs: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (firstSignalMs === undefined) {
      firstSignalMs = performance.now();
      void stopAndExit(service, logger);
    } else if (performance.now() - firstSignalMs >= sameSignalMs) {
      logger.warn({ signal }, 'stopped by a second signal before all work was done');
      process.exit(1);
    }
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

async function stopAndExit(service: Pick<RunningService, 'stop'>, logger: Logger): Promise<void> {
  try {
    await service.stop();
    process.exit(0);
  } catch (error) {
    logger.fatal({ err: error }, 'cannot stop in order');
    process.exit(1);
  }
}
