import { spawn } from 'node:child_process';

/** Ends the server if this process has ended without stopping it. */
export interface Watchdog {
  /** Dismisses the watchdog, because the server has ended. */
  dismiss(): void;
}

/**
 * `read` succeeds for the line that dismisses the watchdog, and fails when this process has ended for any reason, which
 * closes the pipe. The server then gets the signal for a fast shutdown.
 */
const script = `
read -r dismissed && exit
kill -INT "$1"
[ -z "$2" ] && exit
while kill -0 "$1"; do sleep 1; done
rm -rf "$2"
`;

/**
 * Watches over a server, so that it never outlives this process, even after SIGKILL. Linux's parent-death signal would
 * not do: it is cleared when the account changes.
 *
 * @param directoryToRemove is removed after the server has ended in this way; default: none
 */
export function startWatchdog(postmasterPid: number, directoryToRemove = ''): Watchdog {
  const shell = spawn(
    '/bin/sh',
    ['-c', script, 'postgres-watchdog', String(postmasterPid), directoryToRemove],
    {
      // Its own process group: Ctrl-C at the terminal is not for it.
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    },
  );
  shell.unref();
  // A killed watchdog takes no input.
  shell.stdin.on('error', () => undefined);
  return { dismiss: () => shell.stdin.end('dismissed\n') };
}
