import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** An app as a process of its own, on free ports. */
export type ServiceProcess = Awaited<ReturnType<typeof startServiceCommand>>;

type ProcessEnvironment = Readonly<Record<string, string>>;

/** Starts an app's `main.ts` in development, and waits until its log says where it listens. */
export async function startServiceProcess(main: URL, env: ProcessEnvironment): Promise<ServiceProcess> {
  return await startServiceCommand([process.execPath, fileURLToPath(main)], {
    env: { ...compileCache(), NODE_ENV: 'development', PORT: '0', ADMIN_PORT: '0', ...env },
  });
}

/** Starts an app by a command, which becomes the app's process, and waits until it says in its log where it listens. */
export async function startServiceCommand(
  [program = '', ...args]: readonly string[],
  options: { readonly env: ProcessEnvironment; readonly cwd?: string },
) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = exitCodeOf(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const said: unknown = JSON.parse(line);
    if (saysWhereItListens(said)) {
      child.stdout.resume();
      return {
        url: urlOf(said.address),
        adminUrl: urlOf(said.adminAddress),
        child,
        /** Resolves with the exit code; null after a signal. */
        exited,
        /** Sends SIGTERM, and resolves with the exit code. */
        stop(): Promise<number | null> {
          child.kill('SIGTERM');
          return exited;
        },
      };
    }
  }
  throw new Error(`${[program, ...args].join(' ')} ended before it listened`);
}

/** Runs a script to its end. */
export async function runScript(script: URL, env: ProcessEnvironment, args: readonly string[] = []) {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
    env: { ...compileCache(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  return { code: await exitCodeOf(child), ...output };
}

/** The run's folder of compiled code (jest.config.js), so that a process starts sooner. */
export function compileCache(): ProcessEnvironment {
  const folder = process.env['NODE_COMPILE_CACHE'];
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder, NODE_COMPILE_CACHE_PORTABLE: '1' };
}

/** The same for programs of a copy of the checkout, whose files have the same names below it. */
export async function compileCacheOfCopy(copy: string): Promise<ProcessEnvironment> {
  const { NODE_COMPILE_CACHE: folder, ...rest } = compileCache();
  if (folder === undefined) {
    return {};
  }
  const link = join(copy, '.data/compile-cache');
  await mkdir(dirname(link), { recursive: true });
  await symlink(folder, link);
  return { NODE_COMPILE_CACHE: link, ...rest };
}

async function exitCodeOf(child: ChildProcess): Promise<number | null> {
  await once(child, 'close');
  return child.exitCode;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

function saysWhereItListens(
  said: unknown,
): said is { readonly address: Address; readonly adminAddress: Address } {
  return typeof said === 'object' && said !== null && 'address' in said && 'adminAddress' in said;
}

function urlOf({ host, port }: Address): string {
  return `http://${host}:${port}`;
}
