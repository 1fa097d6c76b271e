import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** The accounts service as a process of its own, on free ports. */
export interface ServiceProcess {
  readonly url: string;
  readonly adminUrl: string;
  readonly child: ChildProcess;
  /** Settles with the exit code. */
  readonly exited: Promise<number | null>;
}

/** Starts the service and waits until it listens. */
export async function startServiceProcess(env: Readonly<Record<string, string>>): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [entry], {
    env: { NODE_ENV: 'development', PORT: '0', ADMIN_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null);
  for await (const line of createInterface({ input: child.stdout })) {
    const entry = JSON.parse(line) as Listening;
    if (entry.msg === 'listening') {
      child.stdout.resume();
      return { url: urlOf(entry.address), adminUrl: urlOf(entry.adminAddress), child, exited };
    }
  }
  throw new Error('the service ended before it listened');
}

/** Runs the service with an environment that it refuses. */
export async function refusedStart(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [entry], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, lines: output.join('').trimEnd().split('\n') };
}

interface Listening {
  readonly msg: string;
  readonly address: { host: string; port: number };
  readonly adminAddress: { host: string; port: number };
}

function urlOf({ host, port }: { host: string; port: number }): string {
  return `http://${host}:${port}`;
}
