import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import process from 'node:process';

import { eventually } from '@meridian/testing';

/** A server of another project, in a process of its own. */
export interface ForeignServer {
  /** Makes it hang: it accepts connections, and never responds. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

export interface ForeignServerOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Default: this process's. */
  readonly env?: NodeJS.ProcessEnv;
  /** Responds, with any status, once the server listens. */
  readonly url: string;
  /** Its files. They are removed when it closes. */
  readonly directory: string;
}

/** Starts a server, and waits until it responds. */
export async function startForeignServer({
  command,
  args,
  env = process.env,
  url,
  directory,
}: ForeignServerOptions): Promise<ForeignServer> {
  const server = spawn(command, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const log: string[] = [];
  server.stderr.on('data', (chunk: Buffer) => log.push(String(chunk)));
  server.once('error', () => log.push('it could not be started: is it installed?'));
  await eventually(async () => {
    if (server.pid === undefined || server.exitCode !== null) {
      throw new Error(`${command} ended: ${log.join('')}`);
    }
    await fetch(url);
  });
  return {
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    async close() {
      const exited = once(server, 'exit');
      server.kill('SIGKILL');
      await exited;
      await rm(directory, { recursive: true });
    },
  };
}
