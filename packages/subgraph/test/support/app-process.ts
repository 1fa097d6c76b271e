import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** An app as a process of its own, on free ports. */
export interface AppProcess {
  readonly url: string;
  readonly adminUrl: string;
  /** Tells it to stop, and settles with its exit code. */
  stop(): Promise<number | null>;
}

/** Starts an app's `main.ts`, and waits until it listens. */
export async function startApp(main: URL, env: Readonly<Record<string, string>>): Promise<AppProcess> {
  const child = spawn(process.execPath, [fileURLToPath(main)], {
    env: { PORT: '0', ADMIN_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = exitCodeOf(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const said: unknown = JSON.parse(line);
    if (isListening(said)) {
      child.stdout.resume();
      return {
        url: `http://${said.address.host}:${said.address.port}`,
        adminUrl: `http://${said.adminAddress.host}:${said.adminAddress.port}`,
        stop() {
          child.kill('SIGTERM');
          return exited;
        },
      };
    }
  }
  throw new Error(`${main.pathname} ended before it listened`);
}

/** Runs a script to its end. */
export async function runScript(script: URL, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [fileURLToPath(script)], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  return { code: await exitCodeOf(child), ...output };
}

async function exitCodeOf(child: ChildProcess): Promise<number | null> {
  await once(child, 'close');
  return child.exitCode;
}

/** The line of a service that answers by now. */
interface Listening {
  readonly address: { readonly host: string; readonly port: number };
  readonly adminAddress: { readonly host: string; readonly port: number };
}

function isListening(said: unknown): said is Listening {
  return typeof said === 'object' && said !== null && 'adminAddress' in said;
}
