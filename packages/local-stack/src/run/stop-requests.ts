import process from 'node:process';

/** A terminal's Ctrl-C reaches a process by way of each program that started it: what follows this closely is the same. */
const sameRequestMs = 1000;

export interface StopRequests {
  readonly onFirst: () => void;
  /** A later port: a user who runs the command again does not want to wait. */
  readonly onLater: () => void;
}

/** Listens for Ctrl-C, SIGTERM and the closing of the terminal. Contract: Processes. */
export function listenForStopRequests({ onFirst, onLater }: StopRequests): void {
  let firstMs: number | undefined;
  const onSignal = (): void => {
    if (firstMs === undefined) {
      firstMs = performance.now();
      onFirst();
    } else if (performance.now() - firstMs >= sameRequestMs) {
      onLater();
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, onSignal);
  }
}
