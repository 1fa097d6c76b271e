// `pnpm start`: all of Meridian on this machine, until Ctrl-C.
import process from 'node:process';

import { describeFailure } from './describe-failure.ts';
import { runStack } from './run-stack.ts';
import { watchLaunchers } from './run/launchers.ts';
import { listenForStopRequests } from './run/stop-requests.ts';
import { readStartOptions, startHelp, type StartOptions } from './start-options.ts';

// Who reads this may go away first, as in `pnpm start | head`; then there is nobody to tell.
process.stdout.on('error', () => undefined);

try {
  const options = readStartOptions(process.argv.slice(2), process.env);
  if (options.help) {
    process.stdout.write(startHelp);
  } else {
    await runUntilStopped(options);
  }
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`);
  process.exitCode = 1;
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
