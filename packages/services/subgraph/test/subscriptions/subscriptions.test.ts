// Subscriptions of a subgraph, to the unmodified clients of graphql-ws and graphql-sse.
import process from 'node:process';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StopController } from '@meridian/cancellation';
import { eventually } from '@meridian/testing';
import { createClient } from 'graphql-sse';
import { WebSocket } from 'ws';

import { Clock, createTicks } from '../fixtures/ticks.ts';
import { hostSubgraph } from '../support/index.ts';
import type { HostedSubgraph, Who } from '../support/index.ts';
import { codesIn, streamOf, subscribeByWebSocket } from '../support/subscribe.ts';
import type { Result, Stream, Subscribe } from '../support/subscribe.ts';

/** The codes of the errors by which a request is rejected. */
type Reject = (url: string, token: string, query: string) => Promise<unknown>;

const subscribeByEvents: Subscribe = (url, token, request) =>
  streamOf((sink) => {
    const client = createClient({
      url: `${url}/graphql`,
      headers: { Authorization: `Bearer ${token}` },
      retryAttempts: 0,
    });
    return client.subscribe({ ...request }, sink);
  });

const transports: [string, Subscribe, Reject][] = [
  [
    'a WebSocket',
    subscribeByWebSocket,
    async (url, token, query) => codesIn(await subscribeByWebSocket(url, token, { query }).ended),
  ],
  [
    'server-sent events',
    subscribeByEvents,
    // The client of graphql-sse does not show the body of a rejection.
    async (url, token, query) => {
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'text/event-stream',
          'content-type': 'application/json',
        },
        body: JSON.stringify({ query }),
      });
      return response.status === 400 ? codesIn(((await response.json()) as Result).errors) : response.status;
    },
  ],
];

const slowEventMs = 400;

describe.each(transports)('A subscription over %s', (_name, subscribe, reject) => {
  const clock = new Clock();
  let ticks: HostedSubgraph;
  beforeAll(async () => {
    ticks = await hostSubgraph(createTicks(clock), {
      requestDeadlineMs: slowEventMs,
      subscriptionLimits: { maxOpen: 4, maxOpenOfTenant: 2 },
    });
  });
  afterAll(() => ticks.stop());
  beforeEach(() =>
    eventually(() => {
      if (clock.open > 0) {
        throw new Error('a stream of the test before is open');
      }
    }),
  );

  const open = async (
    query: string,
    { who, ...request }: { who?: Who; extensions?: Record<string, unknown> } = {},
  ) => subscribe(ticks.url, await ticks.token(who), { query, ...request });
  const isOpen = (count = 1) => eventually(() => expect(clock.open).toBe(count));
  const arrived = (stream: Stream, count: number) =>
    eventually(() => expect(stream.results.length).toBeGreaterThanOrEqual(count));
  /** The codes of the errors that ended a stream, or of its last result. */
  async function codesOf({ ended, results }: Stream): Promise<unknown> {
    const end = await ended;
    return codesIn(Array.isArray(end) ? end : results.at(-1)?.errors);
  }

  it('has each event once, with its cursor and with loaders of its own, past the deadline of a request', async () => {
    const stream = await open('subscription { ticked { id loads } }');
    await isOpen();
    clock.tick();
    await arrived(stream, 1);
    // The deadline of a request passes: only time can show that nothing happens then.
    await new Promise((resolve) => setTimeout(resolve, 1.5 * slowEventMs));
    clock.tick();
    clock.tick();
    await arrived(stream, 3);
    expect(await ticks.metrics()).toMatch(/^meridian_open_subscriptions\{.*\} 1$/mu);
    const [first] = stream.results;
    const start = Number(first?.extensions?.cursor);
    expect(stream.results).toEqual(
      [0, 1, 2].map((index) => ({
        data: { ticked: { id: `acme ${start + index}`, loads: 1 } },
        extensions: { cursor: String(start + index) },
      })),
    );
    stream.leave();
  });

  it('goes on after the cursor of extensions.resumeAfter', async () => {
    clock.tick();
    clock.tick();
    clock.tick();
    const stream = await open('subscription { ticked { id } }', { extensions: { resumeAfter: '0' } });
    await arrived(stream, 2);
    expect(stream.results[0]).toEqual({ data: { ticked: { id: 'acme 1' } }, extensions: { cursor: '1' } });
    stream.leave();
  });

  it('has nothing of another tenant', async () => {
    const [ours, theirs] = [
      await open('subscription { ticked { id } }'),
      await open('subscription { ticked { id } }', { who: { tenant: 'globex' } }),
    ];
    await isOpen(2);
    clock.tick('acme');
    await arrived(ours, 1);
    clock.tick('globex');
    await arrived(theirs, 1);
    expect(theirs.results).toMatchObject([{ data: { ticked: { id: 'globex 0' } } }]);
    expect(ours.results).toHaveLength(1);
    ours.leave();
    theirs.leave();
  });

  it('ends the source when its subscriber leaves, also while it waits for an event', async () => {
    const stream = await open('subscription { ticked { id } }');
    await isOpen();
    stream.leave();
    await isOpen(0);
    expect(stream.results).toEqual([]);
  });

  it('leaves no timer and no socket of subscribers that have left', async () => {
    const resources = () => {
      const counts = process.getActiveResourcesInfo();
      return ['Timeout', 'TCPSocketWrap'].map((kind) => counts.filter((name) => name === kind).length);
    };
    const before = resources();
    for (let round = 0; round < 100; round += 1) {
      const streams = [
        await open('subscription { ticked { id } }'),
        await open('subscription { ticked { id } }'),
      ];
      await isOpen(2);
      for (const stream of streams) {
        stream.leave();
      }
      await isOpen(0);
    }
    await eventually(() => {
      const [timers = 0, sockets = 0] = resources();
      // Connections that are kept for the next request, and the timers of those.
      expect(timers).toBeLessThan((before[0] ?? 0) + 10);
      expect(sockets).toBeLessThan((before[1] ?? 0) + 10);
    });
  });

  it('is refused to a caller without the scope', async () => {
    const token = await ticks.token({ scopes: [] });
    expect(await reject(ticks.url, token, 'subscription { guarded { id } }')).toEqual([
      'UNAUTHORIZED_FIELD_OR_TYPE',
    ]);
    const allowed = await open('subscription { guarded { id } }');
    await isOpen();
    allowed.leave();
  });

  it('ends with its token', async () => {
    const stream = await open('subscription { ticked { id } }', { who: { ttlSeconds: 2 } });
    await isOpen();
    expect(await codesOf(stream)).toEqual(['SUBSCRIPTION_JWT_EXPIRED']);
    await isOpen(0);
  });

  it('shows a client error of its source, and ends', async () => {
    const stream = await open('subscription { failing(how: "client error") { id } }');
    expect(await codesOf(stream)).toEqual(['TICK_GONE']);
    expect(stream.results[0]).toEqual({ data: { failing: { id: '1' } } });
  });

  it('shows nothing of a bug of its source, which is logged', async () => {
    const stream = await open('subscription { failing(how: "bug") { id } }');
    expect(await codesOf(stream)).toEqual(['INTERNAL_SERVER_ERROR']);
    expect(JSON.stringify([await stream.ended, stream.results])).not.toContain('secret');
    expect(ticks.logLines.filter((line) => line.includes('select * from secret'))).not.toEqual([]);
  });

  it('nulls what is not there within the deadline of an event, and goes on', async () => {
    const stream = await open('subscription { ticked { id slow } }');
    await isOpen();
    clock.tick();
    clock.tick();
    await arrived(stream, 2);
    for (const { data, errors } of stream.results) {
      expect(data).toMatchObject({ ticked: { slow: null } });
      expect(errors).toMatchObject([{ path: ['ticked', 'slow'], extensions: { code: 'GATEWAY_TIMEOUT' } }]);
    }
    stream.leave();
  });

  it('is refused where the tenant has too many, until one has ended; another tenant has its own', async () => {
    const held = [await open('subscription { ticked { id } }'), await open('subscription { ticked { id } }')];
    await isOpen(2);
    expect(await reject(ticks.url, await ticks.token(), 'subscription { ticked { id } }')).toEqual([
      'SUBSCRIPTION_MAX_LIMIT',
    ]);
    held.push(await open('subscription { ticked { id } }', { who: { tenant: 'globex' } }));
    await isOpen(3);
    held[0]?.leave();
    await isOpen(2);
    held.push(await open('subscription { ticked { id } }'));
    await isOpen(3);
    for (const stream of held) {
      stream.leave();
    }
  });

  it.each([
    ['a query', '{ ticks }', 'OPERATION_RESOLUTION_FAILURE'],
    [
      'a field that it has not, without a suggestion',
      'subscription { tickd { id } }',
      'GRAPHQL_VALIDATION_FAILED',
    ],
    ['introspection', 'subscription { __schema { description } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['two root fields', 'subscription { ticked { id } guarded { id } }', 'GRAPHQL_VALIDATION_FAILED'],
    ['a syntax error', 'subscription {', 'GRAPHQL_PARSE_FAILED'],
    ['what does not begin within the deadline', 'subscription { late { id } }', 'GATEWAY_TIMEOUT'],
    ['an argument that is missing', 'subscription { failing { id } }', 'GRAPHQL_VALIDATION_FAILED'],
  ])('rejects %s', async (_what, query, code) => {
    expect(await reject(ticks.url, await ticks.token(), query)).toEqual([code]);
  });

  it('suggests no fields', async () => {
    const stream = await open('subscription { tickd { id } }');
    expect(JSON.stringify(await stream.ended)).not.toContain('Did you mean');
  });
});

describe('The cursor at which a subscription begins', () => {
  const query = 'subscription { ticked { id } }';
  let ticks: HostedSubgraph;
  beforeAll(async () => {
    const clock = new Clock();
    clock.tick();
    ticks = await hostSubgraph(createTicks(clock));
  });
  afterAll(() => ticks.stop());

  it('comes before any event: over a WebSocket as the payload of a ping', async () => {
    const authorization = `Bearer ${await ticks.token()}`;
    const socket = new WebSocket(`${ticks.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
    const ping = await new Promise((resolve, reject) => {
      socket.on('error', reject);
      socket.on('close', (code) => reject(new Error(`closed with ${code}`)));
      socket.on('open', () =>
        socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization } })),
      );
      socket.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as { readonly type: string };
        if (message.type === 'connection_ack') {
          socket.send(JSON.stringify({ id: 's1', type: 'subscribe', payload: { query } }));
        } else {
          resolve(message);
        }
      });
    });
    expect(ping).toEqual({ type: 'ping', payload: { id: 's1', cursor: '0' } });
    socket.close();
  });

  it('comes before any event: over server-sent events as an id without an event', async () => {
    const response = await fetch(`${ticks.url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await ticks.token()}`,
        accept: 'text/event-stream',
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query }),
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect(await reader?.read()).toEqual({ done: false, value: 'id: 0\n\n' });
    await reader?.cancel();
  });
});

describe('A stop of the service', () => {
  it('ends each stream without `complete`, so that its client goes on elsewhere', async () => {
    const clock = new Clock();
    const stopping = new StopController();
    const ticks = await hostSubgraph(createTicks(clock), { stopping });
    const streams = await Promise.all(
      transports.map(async ([, subscribe]) =>
        subscribe(ticks.url, await ticks.token(), { query: 'subscription { ticked { id } }' }),
      ),
    );
    await eventually(() => expect(clock.open).toBe(2));
    stopping.abort(new Error('stopping'));
    const [webSocket, sse] = await Promise.all(streams.map(({ ended }) => ended));
    expect(webSocket).toMatchObject({ code: 1001 });
    expect(String(sse)).not.toBe('complete');
    await eventually(() => expect(clock.open).toBe(0));
    await ticks.stop();
  });
});

describe('A WebSocket', () => {
  let ticks: HostedSubgraph;
  beforeAll(async () => {
    ticks = await hostSubgraph(createTicks(new Clock()));
  });
  afterAll(() => ticks.stop());

  const connect = (payload: unknown, headers = {}, subprotocols = ['graphql-transport-ws']) =>
    new Promise<string | number>((resolve) => {
      const socket = new WebSocket(`${ticks.url.replace('http', 'ws')}/graphql`, subprotocols, { headers });
      socket.on('open', () => socket.send(JSON.stringify({ type: 'connection_init', payload })));
      socket.on('message', (data: Buffer) => {
        resolve((JSON.parse(data.toString()) as { type: string }).type);
        socket.close();
      });
      socket.on('close', resolve);
    });

  it('takes the token of the upgrade, or of connection_init in each of its forms', async () => {
    const token = await ticks.token();
    const bearer = `Bearer ${token}`;
    const acks = await Promise.all([
      connect(undefined, { authorization: bearer }),
      connect({ Authorization: bearer }),
      connect({ authorization: bearer }),
      connect({ headers: { authorization: bearer } }),
      connect({ connectionParams: { token } }),
      connect({ connectionParams: { token: bearer } }),
    ]);
    expect(new Set(acks)).toEqual(new Set(['connection_ack']));
  });

  it.each([
    ['without a token', undefined],
    ['with another token', { Authorization: 'Bearer other' }],
  ])('is closed with 4403 %s', async (_what, payload) => {
    expect(await connect(payload)).toBe(4403);
  });

  it('is closed with 4406 without the subprotocol', async () => {
    expect(await connect({ Authorization: `Bearer ${await ticks.token()}` }, {}, [])).toBe(4406);
  });

  it('is at the path of the graph alone', async () => {
    const socket = new WebSocket(`${ticks.url.replace('http', 'ws')}/other`, 'graphql-transport-ws');
    const error = await new Promise<Error>((resolve) => socket.on('error', resolve));
    expect(error.message).toContain('404');
  });
});
