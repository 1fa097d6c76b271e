import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A server that another process has started. */
export interface ServerOfAnotherProcess {
  readonly process: ChildProcess;
  readonly url: string;
  /** The server's own pid. */
  readonly postmasterPid: number;
}

/** Starts a server in a process of its own, which leads a process group and can be killed. */
export async function startInAnotherProcess(
  dataDirectory: string,
  kind: 'throwaway' | 'kept' = 'kept',
): Promise<ServerOfAnotherProcess> {
  const program = fileURLToPath(new URL('start-and-wait.ts', import.meta.url));
  const child = spawn(process.execPath, [program, dataDirectory, kind], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  const { url, pids } = JSON.parse(String(line));
  return { process: child, url: String(url), postmasterPid: Number(pids[0]) };
}

/** Ends a process by SIGKILL and waits until it has ended. */
export async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
