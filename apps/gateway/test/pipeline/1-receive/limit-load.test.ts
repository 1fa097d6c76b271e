import { describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import { createLoadLimit } from '../../../src/http/limit-load.ts';
import { answerJson } from '../../support/stub-subgraph.ts';
import { startTestGateway } from '../../support/test-gateway.ts';

const operation = { query: 'query A { time }' };

describe('traffic_shaping.router.concurrency_limit', () => {
  it('answers 503 with Retry-After at once when it is reached, until a request under way ends', async () => {
    const gateway = await startTestGateway({
      config: 'traffic_shaping: { router: { concurrency_limit: 2 } }',
    });
    const waiting: (() => void)[] = [];
    const bothArrived = Promise.withResolvers<void>();
    gateway.products.misbehave((response) => {
      waiting.push(() => answerJson(response, { data: { time: 'later' } }));
      if (waiting.length === 2) {
        bothArrived.resolve();
      }
    });
    // Operations that differ, so that no two of them are one request to the subgraph.
    const underWay = ['a', 'b'].map((alias) => gateway.post({ query: `query A { ${alias}: time }` }));
    await bothArrived.promise;

    const { status, code, headers } = await gateway.post(operation, {
      Accept: 'application/graphql-response+json',
    });
    expect([status, code, headers.get('retry-after'), headers.get('content-type')]).toEqual([
      503,
      'REQUEST_CONCURRENCY_LIMITED',
      '1',
      'application/json',
    ]);

    waiting.forEach((response) => response());
    expect((await Promise.all(underWay)).map(({ status: answered }) => answered)).toEqual([200, 200]);
    gateway.products.reset();
    expect((await gateway.post(operation)).body).toEqual({ data: { time: 'now' } });
    await gateway.close();
  });

  it('stops counting a request that is refused, and one whose client hangs up', async () => {
    const gateway = await startTestGateway({
      config: 'traffic_shaping: { router: { concurrency_limit: 1 } }',
    });
    await gateway.post({ query: '{' });
    await gateway.post({ query: 'query A { nothing }' });
    const hangUp = new AbortController();
    gateway.products.misbehave(() => hangUp.abort());
    await expect(
      fetch(gateway.url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(operation),
        signal: hangUp.signal,
      }),
    ).rejects.toThrow('aborted');
    gateway.products.reset();
    // It takes a moment until the gateway sees that its client has gone.
    await eventually(async () =>
      expect((await gateway.post({ query: 'query A { again: time }' })).status).toBe(200),
    );
    await gateway.close();
  });

  it('stops counting a request that runs into its timeout', async () => {
    const gateway = await startTestGateway({
      config: 'traffic_shaping: { router: { concurrency_limit: 1, timeout: 1s } }',
    });
    gateway.products.misbehave(() => {});
    expect((await gateway.post(operation)).status).toBe(504);
    gateway.products.reset();
    await eventually(async () =>
      expect((await gateway.post(operation)).body).toEqual({ data: { time: 'now' } }),
    );
    await gateway.close();
  });
});

describe('createLoadLimit', () => {
  it('leaves room for others while bodies arrive: a check takes no slot', () => {
    const load = createLoadLimit({ maxInFlight: 1, maxEventLoopDelayMs: 100 }, () => 0);
    load.checkRoom();
    load.checkRoom();
    const leave = load.acquirePlace();
    const full = expect.objectContaining({ code: 'REQUEST_CONCURRENCY_LIMITED' });
    expect(() => load.checkRoom()).toThrow(full);
    expect(() => load.acquirePlace()).toThrow(full);
    leave();
    expect(() => load.checkRoom()).not.toThrow();
  });

  it('answers 503 while the event loop is late, and admits requests again afterwards', () => {
    let delayMs = 0;
    const load = createLoadLimit({ maxInFlight: undefined, maxEventLoopDelayMs: 100 }, () => delayMs);
    delayMs = 101;
    expect(() => load.acquirePlace()).toThrow(
      expect.objectContaining({ code: 'SERVICE_OVERLOADED', headers: { 'Retry-After': '1' } }),
    );
    delayMs = 100;
    expect(() => load.acquirePlace()).not.toThrow();
  });
});
