import type { ChildProcess, ChildProcessByStdio } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

import { compileCache } from '@meridian/testing';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** A gateway as a process of its own. */
export type GatewayProcess = ChildProcessByStdio<null, Readable, Readable>;

/** A line of its log. */
export interface LogEntry {
  readonly msg?: string;
  readonly address?: { readonly port: number };
  readonly adminAddress?: { readonly port: number };
  readonly workers?: number;
  readonly pids?: readonly number[];
  readonly hooks?: unknown;
  readonly graph?: string;
}

/** Spawns a gateway, by default on free ports. */
export function spawnGateway(
  env: Readonly<Record<string, string>>,
  options: readonly string[] = [],
): GatewayProcess {
  return spawn(process.execPath, [main, ...options], {
    env: { ...compileCache(), PORT: '0', ADMIN_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** The first line of the log from now on that is the expected one. */
export async function logged(
  { stdout }: Pick<GatewayProcess, 'stdout'>,
  isExpected: (entry: LogEntry) => boolean,
): Promise<LogEntry> {
  for await (const line of createInterface({ input: stdout })) {
    const entry = JSON.parse(line) as LogEntry;
    if (isExpected(entry)) {
      stdout.resume();
      return entry;
    }
  }
  throw new Error('it ended before it logged what was expected');
}

/** The URLs in a line that says where the gateway listens; undefined for another line. */
export function urlsIn({ address, adminAddress }: LogEntry): { url: string; adminUrl: string } | undefined {
  return (
    address &&
    adminAddress && {
      url: `http://127.0.0.1:${address.port}/graphql`,
      adminUrl: `http://127.0.0.1:${adminAddress.port}`,
    }
  );
}

/** Ends it by SIGTERM. */
export async function stopProcess(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
