import { spawn } from 'node:child_process';

/** Ends the server when this process has ended without doing it. */
export interface Watchdog {
  /** Lets the watchdog go: the server has ended. */
  dismiss(): void;
}

/**
 * `read` returns well for the line that dismisses it, and fails when this process has ended: its end of the pipe is
 * then closed, whatever ended it. The server gets the signal of a fast shutdown.
 */
const script = `
read -r dismissed && exit
kill -INT "$1"
[ -z "$2" ] && exit
while kill -0 "$1"; do sleep 1; done
rm -rf "$2"
`;

/**
 * Watches over a server, so that it never outlives this process, not even one that is killed by SIGKILL. A parent's
 * death signal would be Linux's own, and is lost on the way to another account.
 *
 * @param directoryToRemove is removed when the server has ended in this way; none by default
 */
export function startWatchdog(postmasterPid: number, directoryToRemove = ''): Watchdog {
  const shell = spawn(
    '/bin/sh',
    ['-c', script, 'postgres-watchdog', String(postmasterPid), directoryToRemove],
    {
      // Its own process group: a Ctrl-C at the terminal is not for it.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
  shell.unref();
  // A watchdog that was killed takes no input.
  shell.stdin.on('error', () => undefined);
  return { dismiss: () => shell.stdin.end('dismissed\n') };
}
