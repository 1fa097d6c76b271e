// The kinds of connections that once held most. `pnpm attacks` measures all kinds, on whole services.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startServiceProcess } from '@meridian/testing';
import type { ServiceProcess } from '@meridian/testing';
import {
  connectionKinds,
  createMemoryProbe,
  holdConnections,
  http2Kinds,
  maxHeldBytes,
  nodeServer,
} from '@meridian/testing/held-memory';
import type { ConnectionKind, HeldConnections, MemoryProbe } from '@meridian/testing/held-memory';

const exchangeProcess = new URL('exchange-process.ts', import.meta.url);
/** Enough of them that what a process takes once is little for each. */
const connections = 50;

const kindsOfHttp1 = [
  'after a small request',
  'after a head of 6 500 fields',
  'after a head with a field of 64 kB',
  'after four heads of 1 400 fields',
  'after four heads of 90 fields, 3.9 kB',
  'after 30 pipelined requests',
  'a head of 6 500 fields without its end',
  'a body of 15 000 chunks of one byte without its end',
];
const kindsOverTls = [
  'after a small request',
  'after a head of 6 500 fields',
  'after four heads of 1 400 fields',
  'HTTP/2, after a head of 190 fields, 40 kB',
  'HTTP/2, after 100 requests at once',
  'HTTP/2, a head of 60 kB without its end',
  'HTTP/2, a head that becomes 200 MB (HPACK bomb)',
];

interface Measured {
  readonly service: ServiceProcess;
  readonly probe: MemoryProbe;
  readonly isSecure: boolean;
}

async function start(file: URL, env: Readonly<Record<string, string>>): Promise<Measured> {
  const probe = createMemoryProbe();
  return {
    service: await startServiceProcess(file, { ...env, ...probe.variables }),
    probe,
    isSecure: env['WITH_TLS'] === 'true',
  };
}

function kindOf(name: string): ConnectionKind {
  const kind = [...connectionKinds, ...http2Kinds].find((candidate) => candidate.name === name);
  if (kind === undefined) {
    throw new Error(`there is no kind of connection named ${name}`);
  }
  return kind;
}

async function hold(kind: ConnectionKind, { service, ...measured }: Measured): Promise<HeldConnections> {
  const { port } = new URL(service.url);
  return await holdConnections(kind, { ...measured, port: Number(port), connections });
}

describe.each([
  ['with the fast path', { WITH_FAST_PATH: 'true' }, kindsOfHttp1],
  ['without the fast path', {}, kindsOfHttp1],
  ['over TLS', { WITH_FAST_PATH: 'true', WITH_TLS: 'true' }, kindsOverTls],
])('A connection, %s,', (_path, env: Readonly<Record<string, string>>, kinds) => {
  let server: Measured;
  let nodeBytes: number;
  beforeAll(async () => {
    const node = await start(nodeServer, env);
    const held = await hold(kindOf('after a small request'), node);
    nodeBytes = (await held.measure()).heldBytes;
    node.service.child.kill('SIGKILL');
    server = await start(exchangeProcess, env);
    // Warms up, so that the engine has compiled everything.
    await (await hold(kindOf('after a small request'), server)).close();
    if (server.isSecure) {
      await (await hold(kindOf('HTTP/2, after 100 requests at once'), server)).close();
    }
  }, 60_000);
  afterAll(() => void server.service.child.kill('SIGKILL'));

  it.each(kinds)(
    'holds no more than one of plain Node, or than is stated: %s',
    async (name) => {
      const kind = kindOf(name);
      const held = await hold(kind, server);
      await eventually(async () =>
        expect((await held.measure()).heldBytes).toBeLessThan(
          maxHeldBytes(kind, { nodeBytes, isSecure: server.isSecure }),
        ),
      );
      await held.close();
    },
    90_000,
  );
});
