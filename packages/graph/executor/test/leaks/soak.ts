import type { ChildProcess } from 'node:child_process';
import { fork } from 'node:child_process';
import { once, getEventListeners } from 'node:events';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { parse } from 'graphql';

import type { PreparedOperation, SubgraphClient } from '../../src/index.ts';
import { createExecutor, createHttpTransport, loadSupergraph, deduplicateQueries } from '../../src/index.ts';
import { createHttp1Client } from '../../src/transport/http1/http1-client.ts';
import { depot } from '../faults/depot.ts';
import { composeSdl } from '../support/federation.ts';
import { sdlOf } from '../support/stub-subgraph.ts';
import type { FaultName } from './fault-name.ts';
import { faultNames } from './fault-name.ts';

/** The resources that are still held. */
export interface Holdings {
  readonly heapBytes: number;
  readonly bufferBytes: number;
  readonly sockets: number;
  readonly timers: number;
  /** Of the one signal that every request has had a part in. */
  readonly listeners: number;
}

export interface SoakOptions {
  readonly requests: number;
}

export interface SoakReport {
  readonly before: Holdings;
  readonly after: Holdings;
  /** The number of runs by outcome: `clean`, `with errors`, `hung up`. */
  readonly outcomes: Readonly<Record<string, number>>;
}

const concurrency = 64;
const warmUpRequests = 2000;
const timeoutMs = 60;
const texts = [
  '{ ping: level { name code } }',
  '{ products { id level { name anything } } }',
  'mutation { restock(id: "p1") { name } }',
];

/**
 * Runs operations over subgraphs of which a third misbehave, for clients of which a tenth hang up, and says what is
 * held before and after. Before is after a run of the same kind: what is compiled and loaded stays.
 */
export async function soak({ requests }: SoakOptions): Promise<SoakReport> {
  const subgraphs = fork(new URL('faulty-subgraphs.ts', import.meta.url));
  const [port] = (await once(subgraphs, 'message')) as [number];
  const shutdown = new AbortController();
  const outcomes: Record<string, number> = {};

  const phase = async (count: number, isCounted: boolean): Promise<Holdings> => {
    // Fewer than run at the same time: some wait for a connection.
    const client = createHttp1Client({ maxConnections: 16 });
    const operations = prepareOperations(client, port);
    let started = 0;
    const work = async (): Promise<void> => {
      for (let index = started++; index < count; index = started++) {
        const outcome = await runOnce(operations, index, shutdown.signal);
        if (isCounted) {
          outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
        }
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    await client.close();
    return { ...(await holdings(shutdown.signal)), sockets: await openSockets(subgraphs) };
  };

  try {
    const before = await phase(warmUpRequests, false);
    const after = await phase(requests, true);
    return { before, after, outcomes };
  } finally {
    const ended = once(subgraphs, 'exit');
    subgraphs.disconnect();
    await ended;
  }
}

function prepareOperations(client: SubgraphClient, port: number): readonly PreparedOperation[] {
  const subgraphs = Object.entries(depot).map(([name, definition]) => ({
    name,
    sdl: sdlOf(definition),
    routingUrl: `http://127.0.0.1:${port}/${name}`,
  }));
  const targets = new Map(
    subgraphs.map(({ name, routingUrl }) => [
      name,
      { url: routingUrl, timeoutMs, maxResponseBytes: 100_000 },
    ]),
  );
  const executor = createExecutor({
    supergraph: loadSupergraph(composeSdl(subgraphs)),
    transport: createHttpTransport({ client, targets, interceptorsOf: () => [deduplicateQueries()] }),
  });
  return texts.map((text) => executor.prepare({ document: parse(text) }));
}

async function runOnce(
  operations: readonly PreparedOperation[],
  index: number,
  shutdown: AbortSignal,
): Promise<string> {
  const operation = operations[index % operations.length];
  const client = new AbortController();
  const hangsUp = index % 10 === 7;
  if (hangsUp) {
    // After a turn or after several, so at any stage.
    afterTurns(index % 9, () => client.abort(new Error('the client has gone')));
  }
  const leave = (): void => client.abort(shutdown.reason);
  shutdown.addEventListener('abort', leave);
  try {
    const result = await operation?.run({
      variables: {},
      headersFor: () => ({ 'x-fault': faultFor(index), 'x-caller': String(index % 40) }),
      signal: client.signal,
    });
    return result?.errors.length === 0 ? 'clean' : 'with errors';
  } catch (error) {
    if (error === client.signal.reason) {
      return 'hung up';
    }
    throw error;
  } finally {
    shutdown.removeEventListener('abort', leave);
  }
}

/** Two thirds have none. */
function faultFor(index: number): FaultName {
  const draw = (index * 7919) % 1000;
  return draw < 660 ? 'none' : (faultNames[draw % faultNames.length] ?? 'none');
}

function afterTurns(turns: number, act: () => void): void {
  setImmediate(() => (turns === 0 ? act() : afterTurns(turns - 1, act)));
}

/** Of the sockets after their end: the other side learns of that a moment later. */
async function openSockets(subgraphs: ChildProcess): Promise<number> {
  const untilMs = performance.now() + 15_000;
  for (;;) {
    const open = await connectionsOf(subgraphs);
    if (open === 0 || performance.now() > untilMs) {
      return open;
    }
  }
}

/** The open connections, counted by the server: Node does not list idle sockets, which do not keep a process alive. */
async function connectionsOf(subgraphs: ChildProcess): Promise<number> {
  const responded = once(subgraphs, 'message');
  subgraphs.send('connections');
  const [count] = (await responded) as [number];
  return count;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

async function holdings(signal: AbortSignal): Promise<Omit<Holdings, 'sockets'>> {
  // Collected memory is freed on other threads, and counted until then.
  for (let round = 0; round < 4; round += 1) {
    collectGarbage();
    await new Promise((resolve) => void setImmediate(resolve));
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return {
    heapBytes: heapUsed,
    bufferBytes: arrayBuffers,
    timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
    listeners: getEventListeners(signal, 'abort').length,
  };
}
