// Two workers, and a subgraph of Apollo Server with its own plugin for callbacks.
import { EventEmitter, on, once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginInlineTraceDisabled } from '@apollo/server/plugin/disabled';
import { ApolloServerPluginSubscriptionCallback } from '@apollo/server/plugin/subscriptionCallback';
import { startStandaloneServer } from '@apollo/server/standalone';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { composeSupergraph } from '@meridian/composition';
import { findFreePort } from '@meridian/processes';
import { eventually } from '@meridian/testing';
import { parse } from 'graphql';

import type { GatewayProcess } from '../support/gateway-process.ts';
import { logged, spawnGateway, stopProcess } from '../support/gateway-process.ts';
import { useFolder } from '../support/use-folder.ts';

/** `extensions.subscription` of a request to the subgraph. */
interface Callback {
  readonly callbackUrl: string;
  readonly subscriptionId: string;
  readonly verifier: string;
  readonly heartbeatIntervalMs: number;
}

const sdl = `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])
  type Query { ready: Boolean }
  type Subscription { ticked(room: ID!): Int }
`;

const ticks = new EventEmitter().setMaxListeners(0);
const callbacks: Callback[] = [];
let subgraph: ApolloServer;
let gateway: GatewayProcess;
const directory = useFolder();
let graphUrl: string;

beforeAll(async () => {
  subgraph = new ApolloServer({
    schema: buildSubgraphSchema({
      typeDefs: parse(sdl),
      resolvers: {
        Subscription: {
          ticked: {
            async *subscribe(_root: unknown, { room }: { room: string }) {
              for await (const [tick] of on(ticks, room)) {
                yield { ticked: tick as number };
              }
            },
          },
        },
      },
    }),
    plugins: [
      {
        requestDidStart({ request: { extensions } }) {
          callbacks.push(extensions?.['subscription'] as Callback);
          return Promise.resolve();
        },
      },
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginSubscriptionCallback(),
    ],
  });
  const { url } = await startStandaloneServer(subgraph, { listen: { port: 0, host: '127.0.0.1' } });
  const composition = composeSupergraph([{ name: 'ticker', sdl, routingUrl: url }]);
  await writeFile(join(directory, 'supergraph.graphql'), composition.supergraphSdl ?? '');
});

interface Configured {
  readonly isOfGraph: boolean;
  readonly isAtClients?: boolean;
}

/** Starts two workers. */
async function startGateway({ isOfGraph, isAtClients = false }: Configured): Promise<void> {
  const port = await findFreePort();
  const own = `
supergraph: { path: /graphql${isAtClients ? `, listen: "127.0.0.1:${port}"` : ''} }
subscription:
  mode: { callback: { public_url: "http://127.0.0.1:${port}/callback", listen: "127.0.0.1:${port}", heartbeat_interval: 1s } }
`;
  const graphs = `graphs: { ticker: { path: /graphql, config: ${join(directory, 'ticker.yaml')} } }`;
  await writeFile(join(directory, 'ticker.yaml'), own);
  await writeFile(
    join(directory, 'router.yaml'),
    `
meridian: { operations: { require_name: false }${isOfGraph ? `, ${graphs}` : ''} }
${isOfGraph ? '' : own}`,
  );
  gateway = spawnGateway({
    SUPERGRAPH_PATH: join(directory, 'supergraph.graphql'),
    ROUTER_CONFIG_PATH: join(directory, 'router.yaml'),
    WEB_CONCURRENCY: '2',
    ...(isAtClients && { PORT: String(port) }),
  });
  const { address } = await logged(
    gateway,
    (entry) => entry.workers !== undefined && entry.address !== undefined,
  );
  graphUrl = `http://127.0.0.1:${address!.port}/graphql`;
}

afterAll(() => subgraph.stop());

/** A client with a connection of its own, so that workers take turns. */
class Client {
  text = '';
  readonly #controller = new AbortController();

  async open(room: string): Promise<void> {
    const sent = request(graphUrl, {
      method: 'POST',
      agent: false,
      headers: {
        'content-type': 'application/json',
        accept: 'multipart/mixed;subscriptionSpec=1.0, application/json',
      },
      signal: this.#controller.signal,
    });
    sent.on('error', () => {});
    sent.end(JSON.stringify({ query: `subscription { ticked(room: "${room}") }` }));
    const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream];
    response.on('error', () => {});
    response.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
  }

  get ticks(): readonly number[] {
    return Array.from(this.text.matchAll(/"ticked":(\d+)/g), ([, tick]) => Number(tick));
  }

  leave(): void {
    this.#controller.abort();
  }
}

/** Calls back over a connection of its own. */
async function call(
  { callbackUrl }: Pick<Callback, 'callbackUrl'>,
  body: unknown,
  method = 'POST',
): Promise<{ readonly status: number | undefined; readonly protocol: unknown; readonly text: string }> {
  const sent = request(callbackUrl, {
    method,
    agent: false,
    headers: { 'content-type': 'application/json' },
  });
  sent.end(method === 'GET' ? undefined : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const protocol = response.headers['subscription-protocol'];
  return { status: response.statusCode, protocol, text: await text(response) };
}

const check = ({ subscriptionId: id, verifier }: Callback): object => ({
  kind: 'subscription',
  action: 'check',
  id,
  verifier,
});

describe.each<[string, Configured]>([
  ['with two workers', { isOfGraph: false }],
  ['with two workers, at the address of clients', { isOfGraph: false, isAtClients: true }],
  ['with two workers, by the file of one graph', { isOfGraph: true }],
])('Subgraphs that call back, %s', (name, configured) => {
  beforeAll(() => startGateway(configured));
  afterAll(() => stopProcess(gateway));

  const rooms = Array.from({ length: 6 }, (_, index) => `room${index} ${name}`);

  it('reach the worker that holds the stream, whichever takes the call', async () => {
    callbacks.length = 0;
    const clients = await Promise.all(
      rooms.map(async (room) => {
        const client = new Client();
        await client.open(room);
        return client;
      }),
    );
    await eventually(() =>
      expect(rooms.map((room) => ticks.listenerCount(room))).toEqual(rooms.map(() => 1)),
    );
    const holders = new Set(callbacks.map(({ subscriptionId }) => subscriptionId.split('.')[0]));
    expect(holders.size).toBe(2);
    for (const callback of callbacks) {
      for (let attempt = 0; attempt < 4; attempt += 1) {
        expect(await call(callback, check(callback))).toMatchObject({
          status: 204,
          protocol: 'callback/1.0',
        });
      }
    }

    for (let tick = 1; tick <= 10; tick += 1) {
      rooms.forEach((room) => ticks.emit(room, tick));
    }
    for (const client of clients) {
      await eventually(() => expect(client.ticks).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]));
    }

    clients.forEach((client) => client.leave());
    for (const callback of callbacks) {
      await eventually(async () =>
        expect(await call(callback, check(callback))).toMatchObject({ status: 404 }),
      );
    }
  });

  it('get the response of the protocol to each call', async () => {
    callbacks.length = 0;
    const client = new Client();
    await client.open('alone');
    await eventually(() => expect(callbacks).toHaveLength(1));
    const [callback] = callbacks;
    if (callback === undefined) {
      throw new Error('The subgraph has no callback');
    }
    const { subscriptionId: id, verifier, heartbeatIntervalMs } = callback;
    expect(heartbeatIntervalMs).toBe(1000);
    const statusOf = async (body: unknown, method?: string): Promise<unknown> =>
      (await call(callback, body, method)).status;
    const of = { kind: 'subscription', id, verifier };
    expect(await statusOf({ ...of, action: 'check', verifier: `${verifier.slice(0, -1)}x` })).toBe(401);
    const foreign = { ...of, action: 'check', verifier: '0'.repeat(64) };
    const rejection = await call(callback, foreign);
    expect([rejection.status, rejection.text]).toEqual([401, expect.stringContaining('"UNAUTHENTICATED"')]);
    expect(await statusOf({ ...of, action: 'check', id: `1${id}` })).toBe(400);
    expect(await statusOf({ ...of, action: 'dance' })).toBe(400);
    expect(await statusOf({ ...of, action: 'next' })).toBe(400);
    expect(await statusOf('hello')).toBe(400);
    expect(await statusOf(undefined, 'GET')).toBe(405);
    expect((await call({ callbackUrl: callback.callbackUrl.replace('/callback', '/x') }, of)).status).toBe(
      404,
    );
    expect(await statusOf({ ...of, action: 'next', payload: { data: { ticked: 9 } } })).toBe(200);
    await eventually(() => expect(client.ticks).toEqual([9]));
    expect(await statusOf({ ...of, action: 'complete' })).toBe(202);
    await eventually(() => expect(client.text).toMatch(/--graphql--\s*$/));
    expect(await statusOf({ ...of, action: 'check' })).toBe(404);
  });
});
