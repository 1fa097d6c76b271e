import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import { childrenOf } from '@meridian/processes';

import { beginAnew } from './data-directory.ts';
import type { DataDirectory } from './data-directory.ts';
import { endServer, readPostmasterFile } from './end-server.ts';
import type { Launcher } from './launcher.ts';
import { PostgresError } from './postgres-error.ts';
import { programEnvironment } from './run-program.ts';

/** A server that accepts connections. */
export type Postmaster = Awaited<ReturnType<typeof startPostmaster>>;

/** Reasons why a server did not start; the first two are worth another attempt. */
export type StartFailure = 'port-taken' | 'earlier-backends-remain' | 'other';

/** The server ended before it accepted connections. */
export class PostmasterEnded extends PostgresError {
  override readonly name = 'PostmasterEnded';
  readonly failure: StartFailure;

  constructor(failure: StartFailure, message: string) {
    super(message);
    this.failure = failure;
  }
}

/** Generous, because recovery after a crash replays the log first. */
const timeoutMs = 120_000;

/**
 * Starts a server on a cluster, and waits until it accepts connections.
 *
 * @throws {PostmasterEnded} if it ends before
 */
export async function startPostmaster(
  directory: DataDirectory,
  postgres: string,
  launcher: Launcher,
  { settings, isThrowaway }: { settings: Readonly<Record<string, string>>; isThrowaway: boolean },
) {
  const child = spawnPostmaster(directory, postgres, launcher, settings);
  const hasEnded = (): boolean =>
    child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  const pid = Number(child.pid);
  const dismissWatchdog = startWatchdog(pid, isThrowaway ? directory.root : undefined);
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  child.once('error', resolve).once('exit', resolve);
  void ended.then(() => dismissWatchdog());

  const deadline = Date.now() + timeoutMs;
  while (!(await acceptsConnections(directory, pid))) {
    if (hasEnded()) {
      throw await failureOf(directory);
    }
    if (Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new PostgresError(
        `PostgreSQL is not ready after ${timeoutMs / 1000} s. Its log is ${directory.log}`,
      );
    }
    await delay(10);
  }
  return {
    /** Resolves when the server has ended, for any reason. */
    ended,
    /** The pids of the server and its backends. */
    processIds: (): number[] => (hasEnded() ? [] : [pid, ...childrenOf(pid)]),
    async stop(): Promise<void> {
      // The server does not keep this process alive until its end is awaited here.
      child.ref();
      await endServer(pid, hasEnded);
      await ended;
    },
  };
}

function spawnPostmaster(
  { cluster, log }: DataDirectory,
  postgres: string,
  launcher: Launcher,
  settings: Readonly<Record<string, string>>,
): ChildProcess {
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = launcher.command(postgres, ['-D', cluster, ...options]);
  const logFile = openSync(log, 'w', 0o600);
  try {
    const child = spawn(command.program, command.arguments, {
      ...command.account,
      env: programEnvironment,
      // Its own process group: Ctrl-C is for the process that started it, which then stops it in order.
      detached: true,
      stdio: ['ignore', 'ignore', logFile],
    });
    child.unref();
    return child;
  } finally {
    closeSync(logFile);
  }
}

async function acceptsConnections({ cluster }: DataDirectory, pid: number): Promise<boolean> {
  const file = await readPostmasterFile(cluster);
  return file?.pid === pid && file.isReady;
}

async function failureOf({ log, root }: DataDirectory): Promise<PostmasterEnded> {
  const text = await readFile(log, 'utf8').catch(() => '');
  const lines = text.split('\n');
  if (lines.some((line) => line.includes('could not bind ') && line.includes('Address already in use'))) {
    return new PostmasterEnded('port-taken', 'PostgreSQL cannot listen: the port is in use');
  }
  if (/pre-existing shared memory block/u.test(text)) {
    return new PostmasterEnded('earlier-backends-remain', `An earlier PostgreSQL still uses ${root}`);
  }
  const reason = lines.findLast((line) => /FATAL|PANIC/u.test(line)) ?? 'it wrote no reason';
  return new PostmasterEnded(
    'other',
    `PostgreSQL did not start: ${reason.replace(/^.*(?:FATAL|PANIC):\s*/u, '')}. Its log is ${log}. ${beginAnew}`,
  );
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
 * @returns dismisses the watchdog, because the server has ended
 */
function startWatchdog(postmasterPid: number, directoryToRemove = ''): () => void {
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
  return () => shell.stdin.end('dismissed\n');
}
