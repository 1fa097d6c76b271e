import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

import { releaseClaim } from '@meridian/processes';

import { dataDirectoryAt } from '../data-directory.ts';
import type { DataDirectory } from '../data-directory.ts';
import { placeServices } from '../place-services.ts';
import { rotateLogs } from '../prepare/rotate-logs.ts';
import { takeDataDirectory } from '../prepare/take-data-directory.ts';
import { sendSignal } from '../run/process-record.ts';
import { type Service, serviceNamed, services, urlOf } from '../services.ts';
import type { StartedStack } from '../stack.ts';
import { startStack } from '../stack.ts';
import { driveClients } from './drive-clients.ts';
import type { Sample } from './gateway-watch.ts';
import { listenerWarnings, sampleGateway } from './gateway-watch.ts';
import type { Outages } from './outages.ts';
import { createOutages } from './outages.ts';
import type { SoakOptions } from './soak-options.ts';
import type { SoakOutcome } from './verdict.ts';

const sampleEveryMs = 5000;
const killEveryMs = 20_000;
/** Kept-alive connections of the clients end, and the last subgraph comes back. */
const settleMs = 8000;

const victims = ['reviews', 'products', 'users', 'orders'];

/** Runs a stack of its own under load; settles when everything that it started has ended. */
export async function runSoak(
  options: SoakOptions,
  { say, signal }: { readonly say: (line: string) => void; readonly signal: AbortSignal },
): Promise<SoakOutcome> {
  const data = dataDirectoryAt(options.dataRoot);
  await takeDataDirectory(data, { startOver: true, say });
  try {
    await rotateLogs(data.logs);
    const placed = await placeServices(services, 'free');
    const outages = createOutages();
    const stack = startStack({
      data,
      services: placed,
      serverUrl: undefined,
      environment: process.env,
      onHealth(name, health) {
        if (health.is === 'ready') {
          outages.onReady(name);
        } else if (health.is === 'down') {
          outages.onDown(name);
        }
      },
      onStep: () => undefined,
    });
    try {
      say('Starting the stack');
      const started = await stack.started;
      return await soak(placed, started, { data, outages, options, say, signal });
    } finally {
      await stack.stop();
    }
  } finally {
    await releaseClaim(data.claim);
  }
}

interface Surroundings {
  readonly data: DataDirectory;
  readonly outages: Outages;
  readonly options: SoakOptions;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

async function soak(
  placed: readonly Service[],
  { identity }: StartedStack,
  { data, outages, options, say, signal }: Surroundings,
): Promise<SoakOutcome> {
  const gateway = serviceNamed('gateway', placed);
  const adminUrl = `http://127.0.0.1:${gateway.adminPort}`;
  const token = await identity.signToken({ ttlSeconds: options.minutes * 60 + 600 });
  const over = AbortSignal.any([signal, AbortSignal.timeout(options.minutes * 60_000)]);
  const startedMs = performance.now();
  const samples: Sample[] = [];
  const sample = async (): Promise<void> => {
    const taken = await sampleGateway(adminUrl, (performance.now() - startedMs) / 1000);
    samples.push(taken);
    say(described(taken));
  };

  say(`${options.clients} clients for ${options.minutes} minutes`);
  await sample();
  const [tally, killed] = await Promise.all([
    driveClients({ url: urlOf(gateway), token, clients: options.clients, outages, signal: over }),
    killInTurn(data, outages, over, say),
    every(sampleEveryMs, over, sample),
  ]);
  await delay(settleMs);
  await sample();
  return {
    tally,
    samples,
    killed,
    recoveries: outages.recoveries(),
    away: outages.away(),
    listenerWarnings: await listenerWarnings(join(data.logs, 'gateway.log')),
  };
}

/** Kills one subgraph after the other, now and then, and returns how many. The stack starts each again. */
async function killInTurn(
  data: DataDirectory,
  outages: Outages,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<number> {
  let killed = 0;
  await every(killEveryMs, signal, async () => {
    const name = victims[killed % victims.length] ?? '';
    const pid = await pidOf(name, data);
    if (pid !== undefined) {
      // Away from now on, not only from when the stack notices.
      outages.onDown(name);
      sendSignal(pid, 'SIGKILL');
      killed += 1;
      say(`  ${name} is killed`);
    }
  });
  return killed;
}

async function pidOf(name: string, { processes }: DataDirectory): Promise<number | undefined> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this stack wrote it
  const record = JSON.parse(await readFile(processes, 'utf8')) as { name: string; pid: number }[];
  return record.find((entry) => entry.name === name)?.pid;
}

async function every(periodMs: number, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  for (;;) {
    await delay(periodMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) {
      return;
    }
    await work();
  }
}

function described({ atSeconds, heapMiB, rssMiB, sockets, openFiles }: Sample): string {
  const cells = [
    `${atSeconds.toFixed(0)} s`.padStart(7),
    `heap ${heapMiB.toFixed(0)} MiB`.padEnd(13),
    `rss ${rssMiB.toFixed(0)} MiB`.padEnd(12),
    `${sockets} sockets`.padEnd(12),
    `${openFiles} open files`,
  ];
  return cells.join('  ');
}
