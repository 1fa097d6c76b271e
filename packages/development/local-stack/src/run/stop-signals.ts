import process from 'node:process';

/**
 * A terminal's Ctrl-C reaches a process also through the programs that launched it: signals this close count as one.
 */
const sameSignalMs = 1000;

export interface StopSignalHandlers {
  /** Called for the first signal. */
  readonly onFirst: () => void;
  /** Called for a later signal: a user who asks again does not want to wait. */
  readonly onLater: () => void;
}

/** Listens for Ctrl-C, SIGTERM and the closing of the terminal. Contract: Processes. */
export function listenForStopSignals({ onFirst, onLater }: StopSignalHandlers): void {
  let firstMs: number | undefined;
  const onSignal = (): void => {
    if (firstMs === undefined) {
      firstMs = performance.now();
      onFirst();
    } else if (performance.now() - firstMs >= sameSignalMs) {
      onLater();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, onSignal);
  }
}
