import process from 'node:process';

import { runStack } from './run-stack.ts';
import { watchLaunchers } from '@meridian/processes';
import { listenForStopSignals } from './run/stop-signals.ts';
import type { StartOptions } from './options/start-options.ts';

/** Runs a stack as this process until it is stopped. */
export async function runUntilStopped(options: StartOptions): Promise<void> {
  // The reader may close the pipe, as in `pnpm start | head`.
  process.stdout.on('error', () => undefined);
  const stop = new AbortController();
  const kill = new AbortController();
  listenForStopSignals({
    onFirst: () => stop.abort(),
    onLater() {
      process.exitCode = 1;
      kill.abort();
    },
  });
  watchLaunchers(() => stop.abort());
  await runStack(options, { stop: stop.signal, kill: kill.signal });
}
