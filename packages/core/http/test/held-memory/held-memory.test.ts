// The kinds of connections that once held most. `pnpm attacks` measures all kinds, on whole services.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startServiceProcess } from '@meridian/testing';
import type { ServiceProcess } from '@meridian/testing';
import {
  connectionKinds,
  createMemoryProbe,
  holdConnections,
  maxHeldBytes,
  nodeServer,
} from '@meridian/testing/held-memory';
import type { ConnectionKind, HeldConnections, MemoryProbe } from '@meridian/testing/held-memory';

const exchangeProcess = new URL('exchange-process.ts', import.meta.url);
/** Enough of them that what a process takes once is little for each. */
const connections = 50;

const kinds = [
  'after a small request',
  'after a head of 6 500 fields',
  'after a head with a field of 64 kB',
  'after four heads of 1 400 fields',
  'after four heads of 90 fields, 3.9 kB',
  'after 30 pipelined requests',
  'a head of 6 500 fields without its end',
];

interface Measured {
  readonly service: ServiceProcess;
  readonly probe: MemoryProbe;
}

let node: Measured;
let nodeBytes: number;

beforeAll(async () => {
  node = await start(nodeServer);
  const held = await hold(kindOf('after a small request'), node);
  nodeBytes = (await held.measure()).heldBytes;
}, 60_000);
afterAll(() => void node.service.child.kill('SIGKILL'));

async function start(file: URL, env: Readonly<Record<string, string>> = {}): Promise<Measured> {
  const probe = createMemoryProbe();
  return { service: await startServiceProcess(file, { ...env, ...probe.variables }), probe };
}

function kindOf(name: string): ConnectionKind {
  const kind = connectionKinds.find((candidate) => candidate.name === name);
  if (kind === undefined) {
    throw new Error(`there is no kind of connection named ${name}`);
  }
  return kind;
}

async function hold(kind: ConnectionKind, { service, probe }: Measured): Promise<HeldConnections> {
  const { port } = new URL(service.url);
  return await holdConnections(kind, { port: Number(port), probe, connections });
}

describe.each([
  ['with the fast path', 'true'],
  ['without the fast path', 'false'],
])('A connection, %s,', (_path, isFast) => {
  let server: Measured;
  beforeAll(async () => {
    server = await start(exchangeProcess, { WITH_FAST_PATH: isFast });
    // Warms up, so that the engine has compiled everything.
    await (await hold(kindOf('after a small request'), server)).close();
  }, 60_000);
  afterAll(() => void server.service.child.kill('SIGKILL'));

  it.each(kinds)(
    'holds no more than one of plain Node, or than is stated: %s',
    async (name) => {
      const kind = kindOf(name);
      const held = await hold(kind, server);
      await eventually(async () =>
        expect((await held.measure()).heldBytes).toBeLessThan(maxHeldBytes(kind, nodeBytes)),
      );
      await held.close();
    },
    90_000,
  );
});
