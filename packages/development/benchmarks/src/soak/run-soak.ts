import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { writeFile } from 'node:fs/promises';

import { counted } from '@meridian/settings/command-line';
import { releaseClaim, watchLaunchers } from '@meridian/processes';
import {
  dataDirectoryAt,
  rotateLogs,
  serviceNamed,
  startStack,
  takeDataDirectory,
  listenForStopSignals,
} from '@meridian/local-stack';
import type { DataDirectory, Service, StartedStack } from '@meridian/local-stack';

import { GatewayFiles } from './events/gateway-files.ts';
import { Outages } from './events/outages.ts';
import { Probe } from './events/probe.ts';
import { runEvents } from './events/run-events.ts';
import { gatewayRestart, recurringEvents, writeFirstFiles } from './events/soak-events.ts';
import { driveClients } from './load/drive-clients.ts';
import { soakIdentifiers } from './load/operations.ts';
import { Sender } from './load/http-sender.ts';
import type { Load } from './load/session.ts';
import { createPace } from './load/session.ts';
import { Tally } from './load/tally.ts';
import { demoTenants } from './load/tenant.ts';
import { TenantIsolation } from './load/tenant-isolation.ts';
import type { SoakOutcome } from './report/verdict.ts';
import type { SoakOptions } from './soak-options.ts';
import { placeSoakServices, signalTo, targetsAmong } from './soak-services.ts';
import { listenerWarnings, Sampler, describeSample } from './watch/sampler.ts';
import { judge } from './report/verdict.ts';

/** Runs a soak test. Prints the verdict. Writes both into the data directory. */
export async function soakAndReport(options: SoakOptions): Promise<void> {
  // The reader may close the pipe; the report is in a file as well.
  process.stdout.on('error', () => undefined);
  const stop = new AbortController();
  listenForStopSignals({ onFirst: () => stop.abort(), onLater: () => process.exit(1) });
  watchLaunchers(() => stop.abort());
  const said: string[] = [];
  const say = (line: string): void => {
    said.push(line);
    process.stdout.write(`${line}\n`);
  };
  const outcome = await runSoak(options, { say, signal: stop.signal });
  const findings = judge(outcome);
  const isGood = findings.every((finding) => finding.isGood);
  for (const finding of findings) {
    say(`${finding.isGood ? 'ok    ' : 'FAILED'}  ${finding.text}`);
  }
  say(isGood ? 'passed' : 'FAILED');
  await writeFile(join(options.dataRoot, 'soak.txt'), `${said.join('\n')}\n`);
  process.exitCode = isGood ? 0 : 1;
}

/** The surroundings of a run. */
interface SoakSurroundings {
  readonly say: (line: string) => void;
  /** Ends the run early. */
  readonly signal: AbortSignal;
}

/** Runs its own stack under load; settles once everything that it started has ended. */
async function runSoak(options: SoakOptions, { say, signal }: SoakSurroundings): Promise<SoakOutcome> {
  const data = dataDirectoryAt(options.dataRoot);
  await takeDataDirectory(data, { startOver: true, say });
  try {
    await rotateLogs(data.logs);
    const files = new GatewayFiles(data.root);
    writeFirstFiles(files);
    const { placed, inspectorPort } = await placeSoakServices(files);
    const outages = new Outages();
    const health = new EventEmitter();
    const unexpectedEnds: string[] = [];
    const stack = startStack({
      data,
      services: placed,
      serverUrl: undefined,
      reset: [],
      environment: process.env,
      onHealth(service, now) {
        if (now.is === 'down' && !outages.includes(service)) {
          unexpectedEnds.push(`${service} ${now.how}`);
        }
        health.emit(`${service} ${now.is}`, now);
      },
      onStep: () => undefined,
    });
    try {
      say('Starting the stack');
      const started = await stack.started;
      const run = await soak(started, {
        placed,
        inspectorPort,
        data,
        files,
        outages,
        health,
        options,
        say,
        signal,
      });
      return {
        ...run,
        unexpectedEnds,
        listenerWarnings: await listenerWarnings(join(data.logs, 'gateway.log')),
      };
    } finally {
      await stack.stop();
    }
  } finally {
    await releaseClaim(data.claim);
  }
}

interface Surroundings extends SoakSurroundings {
  readonly placed: readonly Service[];
  readonly inspectorPort: number;
  readonly data: DataDirectory;
  readonly files: GatewayFiles;
  readonly outages: Outages;
  readonly health: EventEmitter;
  readonly options: SoakOptions;
}

/** Lets the clients' connections and last requests end. */
const settleMs = 8000;

async function soak(
  { identity }: StartedStack,
  { placed, inspectorPort, data, files, outages, health, options, say, signal }: Surroundings,
): Promise<Pick<SoakOutcome, 'totals' | 'samples' | 'streams' | 'events' | 'kinds'>> {
  const targets = targetsAmong(placed);
  const tally = new Tally();
  const sender = new Sender(({ port }) => {
    const service = placed.find((candidate) => String(candidate.port) === port)?.name ?? port;
    if (outages.includes(service)) {
      tally.count('triedAgain');
    } else {
      tally.fault(`${service} refused a connection while it should have been there`);
    }
  });
  const identifierOf = soakIdentifiers();
  const tokenTtlSeconds = options.minutes * 60 + 3600;
  const probe = new Probe({
    targets,
    identifierOf,
    sender,
    token: await identity.signToken({ ttlSeconds: tokenTtlSeconds }),
    gatewayLog: join(data.logs, 'gateway.log'),
  });
  const tools = { signal: signalTo(data), outages, health, files, probe };
  const recurring = recurringEvents(tools);
  const once = gatewayRestart(tools);

  const startedMs = performance.now();
  const { adminPort } = serviceNamed('gateway', placed);
  const sampler = new Sampler({ adminUrl: `http://127.0.0.1:${adminPort}`, inspectorPort }, tally, startedMs);
  const over = new AbortController();
  const tenants = demoTenants();
  const load: Load = {
    sender,
    pace: createPace(options.rate),
    outages,
    tally,
    isolation: new TenantIsolation(tenants),
    targets,
    identifierOf,
    signal: over.signal,
  };
  say(
    `${options.clients} clients, at most ${options.rate} requests a second, for ${counted(options.minutes, 'minute')}, or longer until each event was there`,
  );
  await sampler.take();
  const seconds = options.minutes * 60;
  const [events, streams] = await Promise.all([
    runEvents({ recurring, once, seconds, startedMs, say, signal }).finally(() => over.abort()),
    driveClients(load, { clients: options.clients, tenants, identity, tokenTtlSeconds }),
    every(samplePeriodMs(seconds), over.signal, async () => say(describeSample(await sampler.take()))),
  ]);
  await sender.close();
  await delay(settleMs);
  await sampler.take();
  return {
    totals: tally.totals(),
    samples: sampler.samples,
    streams,
    events,
    kinds: [once, ...recurring].map(({ name }) => name),
  };
}

/** About sixty samples in any run; not too many per second, because each causes a garbage collection. */
function samplePeriodMs(seconds: number): number {
  return Math.min(10_000, Math.max(2000, (seconds * 1000) / 60));
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
