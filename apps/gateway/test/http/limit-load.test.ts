import { connect } from 'node:net';

import { describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import type { LoadLimit, RequestLoad } from '../../src/http/limit-load.ts';
import { createLoadLimit } from '../../src/http/limit-load.ts';
import { respondJson } from '../support/stub-subgraph.ts';
import { startTestGateway } from '../support/test-gateway.ts';

const operation = { query: 'query A { time }' };

describe('traffic_shaping.router.concurrency_limit', () => {
  it('answers 503 with Retry-After at once when it is reached, until a request under way ends', async () => {
    await using gateway = await startTestGateway({
      config: 'traffic_shaping: { router: { concurrency_limit: 2 } }',
    });
    const waiting: (() => void)[] = [];
    const bothArrived = Promise.withResolvers<void>();
    gateway.products.misbehave((response) => {
      waiting.push(() => respondJson(response, { data: { time: 'later' } }));
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
    expect((await Promise.all(underWay)).map(({ status: responded }) => responded)).toEqual([200, 200]);
    gateway.products.reset();
    expect((await gateway.post(operation)).body).toEqual({ data: { time: 'now' } });
  });

  it('stops counting a request that is refused, and one whose client hangs up', async () => {
    await using gateway = await startTestGateway({
      config: 'traffic_shaping: { router: { concurrency_limit: 1 } }',
    });
    await gateway.post({ query: '{' });
    await gateway.post({ query: 'query A { nothing }' });
    const hangUp = new AbortController();
    gateway.products.misbehave(() => hangUp.abort());
    await expect(gateway.send(operation, {}, hangUp.signal)).rejects.toThrow('aborted');
    gateway.products.reset();
    // It takes a moment until the gateway sees that its client has gone.
    await eventually(async () =>
      expect((await gateway.post({ query: 'query A { again: time }' })).status).toBe(200),
    );
  });

  it('stops counting a request that runs into its timeout', async () => {
    await using gateway = await startTestGateway({
      config: 'traffic_shaping: { router: { concurrency_limit: 1, timeout: 1s } }',
    });
    gateway.products.misbehave(() => {});
    expect((await gateway.post(operation)).status).toBe(504);
    gateway.products.reset();
    await eventually(async () =>
      expect((await gateway.post(operation)).body).toEqual({ data: { time: 'now' } }),
    );
  });
});

describe('createLoadLimit', () => {
  const limits = { maxInFlight: 4, maxEventLoopDelayMs: 100, maxBodyBytes: 100 };
  const full = expect.objectContaining({ code: 'REQUEST_CONCURRENCY_LIMITED' });
  const enter = (load: LoadLimit, tenantId: string | undefined): RequestLoad => {
    load.checkRoom();
    const entered = load.begin(tenantId);
    entered.acquirePlace();
    return entered;
  };

  it('leaves room for others while bodies arrive: a request takes a place only then', () => {
    const load = createLoadLimit({ ...limits, maxInFlight: 1 }, () => 0);
    const [first, second] = [load.begin('acme'), load.begin('acme')];
    first.acquirePlace();
    expect(() => second.acquirePlace()).toThrow(full);
    expect(() => load.begin('acme')).toThrow(full);
    first.release();
    expect(() => second.acquirePlace()).not.toThrow();
  });

  it('rejects only tenants with an equal share of the places, and anonymous callers as one tenant', () => {
    const load = createLoadLimit(limits, () => 0);
    const places = ['acme', 'acme', 'acme', 'acme'].map((tenantId) => enter(load, tenantId));
    expect(() => enter(load, 'acme')).toThrow(full);
    places.push(enter(load, 'globex'), enter(load, 'globex'), enter(load, undefined), enter(load, undefined));
    expect(() => enter(load, 'globex')).toThrow(full);
    expect(() => enter(load, undefined)).toThrow(full);
    places.forEach((place) => place.release());
    expect(() => enter(load, 'acme')).not.toThrow();
  });

  it('has never more than twice the places, which rejects everyone before their token is verified', () => {
    const load = createLoadLimit(limits, () => 0);
    const tenants = Array.from({ length: 20 }, (_, index) => `tenant-${index}`);
    enter(load, 'acme');
    enter(load, 'acme');
    const rejected = tenants.filter((tenantId) => {
      try {
        enter(load, tenantId);
        return false;
      } catch {
        return true;
      }
    });
    expect(tenants.length - rejected.length).toBe(6);
    expect(() => load.checkRoom()).toThrow(full);
  });

  it('counts the bytes of bodies until their requests end, and leaves each tenant an equal share', () => {
    const load = createLoadLimit(limits, () => 0);
    const overloaded = expect.objectContaining({
      code: 'SERVICE_OVERLOADED',
      headers: { 'Retry-After': '1', Connection: 'close' },
    });
    const [large, other, neighbour] = [load.begin('acme'), load.begin('acme'), load.begin('globex')];
    large.count(60);
    large.count(40);
    expect(() => other.count(1)).toThrow(overloaded);
    neighbour.count(50);
    expect(() => neighbour.count(1)).toThrow(overloaded);
    other.release();
    large.release();
    expect(() => neighbour.count(50)).not.toThrow();
  });

  it('answers 503 while the event loop is late, and admits requests again afterwards', () => {
    let delayMs = 0;
    const load = createLoadLimit(limits, () => delayMs);
    delayMs = 101;
    expect(() => load.checkRoom()).toThrow(
      expect.objectContaining({ code: 'SERVICE_OVERLOADED', headers: { 'Retry-After': '1' } }),
    );
    delayMs = 100;
    expect(() => enter(load, 'acme')).not.toThrow();
  });
});

describe('meridian.overload.max_body_bytes', () => {
  it('answers 503 to a body beyond it while another one is still arriving, and 200 once that has gone', async () => {
    await using gateway = await startTestGateway({
      config: 'meridian: { overload: { max_body_bytes: 300KiB } }',
    });
    const body = JSON.stringify({ ...operation, variables: { unused: 'x'.repeat(200_000) } });
    const { hostname, port } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.write(
      `POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    socket.write(body.slice(0, -1));
    await eventually(async () => {
      const { status, code, headers } = await gateway.post(body);
      expect([status, code, headers.get('retry-after')]).toEqual([503, 'SERVICE_OVERLOADED', '1']);
    });
    socket.destroy();
    await eventually(async () => expect((await gateway.post(body)).status).toBe(200));
  });
});
