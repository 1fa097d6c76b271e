import { once } from 'node:events';
import { join, relative } from 'node:path';
import process from 'node:process';

import type { DevelopmentIdentity } from '@meridian/auth/development';
import { databaseOf } from '@meridian/database/database-of';
import { releaseClaim, watchLaunchers } from '@meridian/processes';

import { assertWholeGraph } from './apps/assert-whole-graph.ts';
import { checkout, dataDirectoryAt } from './data-directory.ts';
import type { DataDirectory } from './data-directory.ts';
import type { Development } from './develop/open-development.ts';
import { knownScopes, readExternalSubgraphs, readServices, serviceNamed, urlOf } from './apps/services.ts';
import { noteExternal } from './apps/note-external.ts';
import { allocatePorts } from './allocate-ports.ts';
import { rotateLogs, takeDataDirectory } from './prepare/take-data-directory.ts';
import { serverName } from './run/own-server.ts';
import { runningScreen } from './screen/running-screen.ts';
import { createScreen } from './screen/screen.ts';
import { styleFor } from './screen/style.ts';
import type { Service } from './apps/services.ts';
import type { StartedStack } from './stack.ts';
import { startStack } from './stack.ts';
import { removeStackRecord, serverUrlWithoutPassword, writeStackRecord } from './record/stack-record.ts';
import type { StackRecord } from './record/stack-record.ts';
import type { StartOptions } from './options/start-options.ts';
import { identifierOf, tryIt } from './try-it/try-it.ts';
import { listenForStopSignals } from './run/stop-signals.ts';

/** Runs a stack as this process until it is stopped. */
export async function runUntilStopped(options: StartOptions): Promise<void> {
  // The reader may close the pipe, as in `pnpm start | head`.
  process.stdout.on('error', () => undefined);
  const stop = new AbortController();
  const kill = new AbortController();
  listenForStopSignals({
    onFirst: () => stop.abort(),
    onLater() {
      process.exitCode = 1;
      kill.abort();
    },
  });
  watchLaunchers(() => stop.abort());
  await runStack(options, { stop: stop.signal, kill: kill.signal });
}

/** The signals that end a stack. */
interface StackSignals {
  /** Stops everything in order. */
  readonly stop: AbortSignal;
  /** Kills everything at once. */
  readonly kill: AbortSignal;
}

/**
 * Runs a stack until it is stopped. Settles once everything that it started has ended. Rejects with a `StackError`, or
 * with an error of another package for the user.
 */
async function runStack(options: StartOptions, signals: StackSignals): Promise<void> {
  const data = dataDirectoryAt(options.dataRoot);
  const services = readServices();
  assertWholeGraph({
    checkout,
    services,
    external: readExternalSubgraphs().map(({ name }) => name),
    supergraphPath: supergraphOf(options, services),
  });
  await takeDataDirectory(data, {
    startOver: options.fresh,
    say: (line) => process.stdout.write(`${line}\n`),
  });
  try {
    await rotateLogs(data.logs);
    const placed = await allocatePorts(services, options.ports);
    const development = await developmentOf(options, placed, data);
    try {
      if (!signals.stop.aborted) {
        await runServices(development, data, options, signals);
      }
    } finally {
      await development.close();
    }
  } finally {
    await releaseClaim(data.claim);
  }
}

/** The supergraph of the checkout; absent if `pnpm dev` composes one, or if the environment names another. */
function supergraphOf(
  { watched, environment }: StartOptions,
  services: readonly Service[],
): string | undefined {
  const { SUPERGRAPH_PATH: shipped } = serviceNamed('gateway', services).environment;
  return watched.length > 0 || environment['SUPERGRAPH_PATH'] !== undefined ? undefined : shipped;
}

/** Composition is slow to load, and `pnpm start` does not need it. */
async function developmentOf(
  { watched }: StartOptions,
  placed: readonly Service[],
  data: DataDirectory,
): Promise<Development> {
  if (watched.length === 0) {
    return {
      services: placed,
      startProcess: undefined,
      follow: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
  }
  const { openDevelopment } = await import('./develop/open-development.ts');
  return await openDevelopment(watched, placed, data);
}

async function runServices(
  development: Development,
  data: DataDirectory,
  { serverUrl, reset, environment }: StartOptions,
  { stop, kill }: StackSignals,
): Promise<void> {
  const { services: placed, startProcess } = development;
  const entries = placed.map((service) => ({
    name: service.name,
    address: urlOf(service),
    log: shortPath(join(data.logs, `${service.name}.log`)),
  }));
  const server = { name: serverName, address: '', log: shortPath(join(data.postgres, 'postgres.log')) };
  const ownServer = serverUrl === undefined ? [server] : [];
  const screen = createScreen(process.stdout, [...ownServer, ...entries]);
  const stack = startStack({
    data,
    services: placed,
    serverUrl,
    reset,
    environment,
    startProcess,
    onHealth: (name, health) => screen.health(name, health),
    onStep: (name, step) => screen.step(name, step),
  });
  kill.addEventListener('abort', () => stack.kill());
  const stopRequested = stop.aborted ? Promise.resolve() : once(stop, 'abort');
  try {
    const started = await Promise.race([stack.started, stopRequested.then(() => undefined)]);
    if (started !== undefined) {
      writeStackRecord(data.running, recordOf(placed, started));
      screen.finishStart(
        runningScreen({
          entries: [...entries, { ...server, address: new URL(started.adminUrl).host }],
          tookMs: performance.now(),
          explorerUrl: new URL('/explorer', urlOf(serviceNamed('gateway', placed))).href,
          logs: shortPath(data.logs),
          commands: await commandsToTry(placed, started.identity),
          style: styleFor(process.stdout),
        }),
      );
      const { SUPERGRAPH_PATH: supergraphPath = '' } = {
        ...serviceNamed('gateway', placed).environment,
        ...environment,
      };
      await Promise.all([
        development.follow({ stack, screen, signal: stop }),
        noteExternal({
          external: readExternalSubgraphs(),
          environment,
          supergraphPath,
          screen,
          signal: stop,
        }),
      ]);
      await stopRequested;
    }
  } finally {
    screen.beginStop(stop.aborted ? 'Stopping' : undefined);
    await stack.stop();
    removeStackRecord(data.running);
  }
}

function recordOf(placed: readonly Service[], { adminUrl }: StartedStack): StackRecord {
  const serverUrl = serverUrlWithoutPassword(adminUrl);
  const database = new URL(serverUrl);
  Object.assign(database, { username: databaseOf('gateway'), pathname: databaseOf('gateway') });
  return {
    graphUrl: urlOf(serviceNamed('gateway', placed)),
    accountsUrl: urlOf(serviceNamed('accounts', placed)),
    gatewayAdminUrl: `http://127.0.0.1:${serviceNamed('gateway', placed).adminPort}`,
    gatewayDatabaseUrl: database.href,
    serverUrl,
  };
}

/** The path as a user would type it here. */
function shortPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.startsWith('..') ? path : fromHere;
}

/** The screen may stay open for a working day: its token is still valid in the evening. */
const tokenTtlHours = 12;

async function commandsToTry(placed: readonly Service[], identity: DevelopmentIdentity): Promise<string[]> {
  return tryIt({
    token: await identity.signToken({ scopes: knownScopes(), ttlSeconds: tokenTtlHours * 3600 }),
    tokenTtlHours,
    accountsUrl: urlOf(serviceNamed('accounts', placed)),
    // A new identifier for each start: the previous one's account still exists.
    accountId: `savings-${Date.now().toString(36)}`,
    graphUrl: urlOf(serviceNamed('gateway', placed)),
    queryIdentifier: await identifierOf('TopProducts'),
  });
}
