import { describe, expect, it } from '@jest/globals';

import { RetryBudget } from '../../src/subgraphs/retry-requests.ts';
import type { Misbehaviour } from '../support/stub-subgraph.ts';
import { respondJson } from '../support/stub-subgraph.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';

const gateway = useTestGateway();
const configOf = (retry: string, more = ''): string => `
  traffic_shaping: { subgraphs: { products: { timeout: 500ms, experimental_retry: ${retry} } } }
  ${more}
`;
const query = { query: 'query A { time }' };
const mutation = { query: 'mutation A { rename(id: 1, name: "a") { id } }' };
const ok = { data: { time: 'now', rename: { id: '1' } } };

/** Has products fail so many times, and then respond. */
function failFirst(count: number, how: Misbehaviour): void {
  let failures = 0;
  gateway.products.misbehave((response, received) => {
    failures += 1;
    return failures <= count ? how(response, received) : respondJson(response, ok);
  });
}
const breakOff: Misbehaviour = (response) => void response.destroy();
const withStatus =
  (status: number): Misbehaviour =>
  (response) =>
    respondJson(response, { errors: [{ message: 'no' }] }, status);

describe('A retry', () => {
  it.each<[string, Misbehaviour]>([
    ['a broken connection', breakOff],
    ['500', withStatus(500)],
    ['503', withStatus(503)],
  ])('follows %s, once', async (_failure, how) => {
    await gateway.start({ config: configOf('{}') });
    failFirst(1, how);
    expect((await gateway.post(query)).body).toEqual({ data: { time: 'now' } });
    expect(gateway.products.received).toHaveLength(2);
    gateway.products.reset();
    failFirst(2, withStatus(502));
    expect((await gateway.post(query)).code).toBeDefined();
    expect(gateway.products.received).toHaveLength(2);
  });

  it.each<[string, object, Misbehaviour]>([
    ['a mutation', mutation, withStatus(503)],
    ['a request that was rejected', query, withStatus(401)],
    ['too many requests', query, withStatus(429)],
    ['a timeout', query, () => {}],
  ])('does not follow %s', async (_failure, request, how) => {
    await gateway.start({ config: configOf('{}') });
    failFirst(1, how);
    expect((await gateway.post(request)).code).toBeDefined();
    expect(gateway.products.received).toHaveLength(1);
  });

  it('follows a mutation where that is allowed', async () => {
    await gateway.start({ config: configOf('{ retry_mutations: true }') });
    failFirst(1, withStatus(503));
    expect((await gateway.post(mutation)).body.errors).toBeUndefined();
    expect(gateway.products.received).toHaveLength(2);
  });

  it('is not sent without the key, nor beyond its budget, nor to an open circuit', async () => {
    await gateway.start();
    failFirst(1, withStatus(503));
    await gateway.post(query);
    expect(gateway.products.received).toHaveLength(1);

    await gateway.start({ config: configOf('{ min_per_sec: 0, retry_percent: 0.25, ttl: 1h }') });
    failFirst(100, withStatus(503));
    for (let index = 0; index < 8; index += 1) {
      await gateway.post(query);
    }
    expect(gateway.products.received).toHaveLength(8 + 2);

    const circuit = 'circuit_breaker: { all: { consecutive_failures: 1, open_duration: 1h } }';
    await gateway.start({ config: configOf('{}', circuit) });
    failFirst(100, withStatus(503));
    expect((await gateway.post(query)).body.errors?.at(-1)?.extensions.code).toBe(
      'REQUEST_CIRCUIT_BREAKER_OPEN',
    );
    expect(gateway.products.received).toHaveLength(1);
  });
});

describe('A budget of retries', () => {
  it('forgets what is older than its time', () => {
    let nowMs = 5000;
    const budget = new RetryBudget({ min_per_sec: 1, retry_percent: 0.5, ttl: 2000 }, () => nowMs);
    const take = (count: number): readonly boolean[] =>
      Array.from({ length: count }, () => budget.takeRetry());
    expect(take(3)).toEqual([true, true, false]);
    budget.countRequest();
    budget.countRequest();
    expect(take(2)).toEqual([true, false]);
    nowMs += 1000;
    expect(take(1)).toEqual([false]);
    nowMs += 1000;
    expect(take(3)).toEqual([true, true, false]);
    nowMs += 100_000;
    expect(take(3)).toEqual([true, true, false]);
  });
});
