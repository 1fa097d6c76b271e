// Subscriptions by Apollo's HTTP callback protocol, to a gateway that follows its rules.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { StopController } from '@meridian/cancellation';
import { eventually, listenOnLoopback } from '@meridian/testing';
import type { LoopbackServer } from '@meridian/testing';

import { Clock, createTicks } from '../fixtures/ticks.ts';
import { hostSubgraph } from '../support/index.ts';
import type { HostedSubgraph, Who } from '../support/index.ts';

interface Call {
  readonly kind: string;
  readonly action: string;
  readonly id: string;
  readonly verifier: string;
  readonly payload?: unknown;
  readonly errors?: unknown;
}

interface Subscribing {
  readonly callbackUrl?: string;
  readonly who?: Who;
  readonly heartbeatIntervalMs?: number;
}

describe('A subscription by callbacks', () => {
  const clock = new Clock();
  const calls: Call[] = [];
  /** The statuses of the next calls; then they are the protocol's. */
  const statuses: number[] = [];
  let gateway: LoopbackServer;
  let stopping: StopController;
  let ticks: HostedSubgraph;
  beforeAll(async () => {
    gateway = await listenOnLoopback((request, response) => void receive(request, response));
  });
  afterAll(() => gateway.close());
  beforeEach(async () => {
    calls.length = 0;
    statuses.length = 0;
    stopping = new StopController();
    ticks = await hostSubgraph(createTicks(clock), {
      stopping,
      subscriptionCallbackUrl: `${gateway.url}/callback`,
    });
  });
  afterEach(async () => {
    stopping.abort(new Error('stopping'));
    await ticks.stop();
  });

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = (await json(request)) as Call;
    calls.push(call);
    const isRight =
      request.headers['subscription-protocol'] === 'callback/1.0' && request.url === `/callback/${call.id}`;
    const expected = { check: 204, next: 200, complete: 202 }[call.action] ?? 400;
    const status = statuses.shift() ?? (isRight ? expected : 400);
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end();
  }

  async function subscribe(query: string, { callbackUrl, who, heartbeatIntervalMs = 0 }: Subscribing = {}) {
    const response = await fetch(`${ticks.url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await ticks.token(who)}`,
        accept: 'application/json;callbackSpec=1.0',
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        query,
        extensions: {
          subscription: {
            callbackUrl: callbackUrl ?? `${gateway.url}/callback/s1`,
            subscriptionId: 's1',
            verifier: 'v1',
            heartbeatIntervalMs,
          },
        },
      }),
    });
    const body: unknown = await response.json();
    return { status: response.status, body };
  }
  const actions = () => calls.map(({ action }) => action);
  const isOpen = (count = 1) => eventually(() => expect(clock.open).toBe(count));
  const ticked = 'subscription { ticked { id } }';

  it('is checked before it is accepted, then sends each result with its cursor, and completes', async () => {
    expect(await subscribe(ticked, { who: { ttlSeconds: 3 } })).toEqual({
      status: 200,
      body: { data: null, extensions: { cursor: expect.stringMatching(/^-?\d+$/) } },
    });
    expect(calls).toEqual([{ kind: 'subscription', action: 'check', id: 's1', verifier: 'v1' }]);
    await isOpen();
    clock.tick();
    clock.tick();
    await eventually(() => expect(actions().slice(0, 3)).toEqual(['check', 'next', 'next']));
    expect(calls[1]).toEqual({
      kind: 'subscription',
      action: 'next',
      id: 's1',
      verifier: 'v1',
      payload: {
        data: { ticked: { id: expect.stringMatching(/^acme/) } },
        extensions: { cursor: expect.any(String) },
      },
    });
    await eventually(() =>
      expect(calls.at(-1)).toMatchObject({
        action: 'complete',
        errors: [{ extensions: { code: 'SUBSCRIPTION_JWT_EXPIRED' } }],
      }),
    );
    await isOpen(0);
  });

  it('checks again in each interval, and ends where the gateway does not know it any more', async () => {
    await subscribe(ticked, { heartbeatIntervalMs: 20 });
    await isOpen();
    await eventually(() => expect(actions().length).toBeGreaterThan(2));
    statuses.push(404);
    await isOpen(0);
    expect(new Set(actions())).toEqual(new Set(['check']));
  });

  it('ends without `complete` where the gateway does not want a result', async () => {
    await subscribe(ticked);
    await isOpen();
    statuses.push(404);
    clock.tick();
    await isOpen(0);
    expect(actions()).toEqual(['check', 'next']);
  });

  it('sends a result again that a gateway in trouble has not taken', async () => {
    await subscribe(ticked);
    await isOpen();
    statuses.push(503, 500);
    clock.tick();
    await eventually(() => expect(actions()).toEqual(['check', 'next', 'next', 'next']));
    expect(calls[3]).toEqual(calls[1]);
  });

  it('is not accepted where the check fails', async () => {
    statuses.push(404);
    expect((await subscribe(ticked)).status).toBe(500);
    await isOpen(0);
  });

  it('is rejected for what is not a valid subscription, without a call', async () => {
    const { status, body } = await subscribe('subscription { guarded { id } }', { who: { scopes: [] } });
    expect([status, body]).toMatchObject([
      400,
      { errors: [{ extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } }] },
    ]);
    expect(calls).toEqual([]);
  });

  it.each([
    ['another host', () => 'http://127.0.0.1:1/callback/s1'],
    ['another path', () => `${gateway.url}/callbacks/s1`],
    ['a path above', () => `${gateway.url}/callback/../s1`],
    ['credentials', () => `${gateway.url.replace('//', '//a:b@')}/callback/s1`],
    ['another scheme', () => 'file:///callback/s1'],
  ])('is rejected for a URL with %s, without a call', async (_what, callbackUrl) => {
    const { status, body } = await subscribe(ticked, { callbackUrl: callbackUrl() });
    expect([status, body]).toMatchObject([
      400,
      { errors: [{ extensions: { code: 'CALLBACK_URL_NOT_ALLOWED' } }] },
    ]);
    expect(calls).toEqual([]);
  });

  it('follows no redirect', async () => {
    statuses.push(302, 302, 302, 302, 302, 302);
    expect((await subscribe(ticked)).status).toBe(500);
    expect(new Set(actions())).toEqual(new Set(['check']));
  });

  it('ends without `complete` when the service stops, so that the gateway opens it again', async () => {
    await subscribe(ticked);
    await isOpen();
    stopping.abort(new Error('stopping'));
    await isOpen(0);
    expect(actions()).toEqual(['check']);
  });
});
