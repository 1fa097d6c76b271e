import process from 'node:process';

import { describeFailure } from './describe-failure.ts';
import { runStack } from './run-stack.ts';
import { watchLaunchers } from './run/launchers.ts';
import { listenForStopRequests } from './run/stop-requests.ts';
import type { StartOptions } from './start-options.ts';

/** Runs a stack as this process, until it is told to stop; or prints the help, where that was asked for. */
export async function runCommand(
  readOptions: (commandLine: readonly string[], environment: NodeJS.ProcessEnv) => StartOptions,
  help: string,
): Promise<void> {
  // Who reads this may go away first, as in `pnpm start | head`; then there is nobody to tell.
  process.stdout.on('error', () => undefined);
  try {
    const options = readOptions(process.argv.slice(2), process.env);
    if (options.help) {
      process.stdout.write(help);
    } else {
      await runUntilStopped(options);
    }
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`);
    process.exitCode = 1;
  }
}

async function runUntilStopped(options: StartOptions): Promise<void> {
  const stop = new AbortController();
  const kill = new AbortController();
  listenForStopRequests({
    onFirst: () => stop.abort(),
    onLater() {
      process.exitCode = 1;
      kill.abort();
    },
  });
  watchLaunchers(() => stop.abort());
  await runStack(options, { stop: stop.signal, kill: kill.signal });
}
