// The circuit breaker and the rate limit of a subgraph, as a client and an operator see them.
import { describe, expect, it } from '@jest/globals';

import type { Misbehaviour } from '../support/stub-subgraph.ts';
import { respondJson } from '../support/stub-subgraph.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';

const gateway = useTestGateway();
interface Outcome {
  readonly code: string | undefined;
  readonly retryAfter: unknown;
  readonly data: unknown;
}

const rated = { query: 'query A { product(id: 1) { rating } }' };
const ask = async (): Promise<Outcome> => {
  const { body } = await gateway.post(rated);
  const extensions = body.errors?.[0]?.extensions;
  return { code: extensions?.code, retryAfter: extensions?.['retryAfter'], data: body.data };
};
const codeOf = async (): Promise<unknown> => (await ask()).code;
const stateOf = async (): Promise<string | undefined> =>
  /meridian_circuit_breaker_state\{subgraph_name="reviews"[^}]*\} (\d)/.exec(await gateway.metrics())?.[1];

const breaks = (more = '') => `
  traffic_shaping: { all: { deduplicate_query: false }, subgraphs: { reviews: { timeout: 200ms } } }
  circuit_breaker: { subgraphs: { reviews: { consecutive_failures: 3, open_duration: 1s ${more} } } }
`;

describe('The circuit breaker of a subgraph', () => {
  it.each<[string, string, Misbehaviour]>([
    ['dies', 'SUBREQUEST_HTTP_ERROR', (response) => void response.destroy()],
    ['hangs', 'GATEWAY_TIMEOUT', () => {}],
    ['is overloaded', 'SUBREQUEST_HTTP_ERROR', (response) => respondJson(response, {}, 503)],
    [
      'stops in the middle',
      'SUBREQUEST_HTTP_ERROR',
      (response) => {
        response.writeHead(200, { 'Content-Length': 100 });
        response.write('{"data":', () => response.destroy());
      },
    ],
  ])('leaves one alone that %s, and takes it back', async (_fault, code, misbehaviour) => {
    await gateway.start({ config: breaks() });
    expect(await stateOf()).toBe('0');
    gateway.reviews.misbehave(misbehaviour);
    expect([await codeOf(), await codeOf(), await codeOf()]).toEqual([code, code, code]);
    expect(gateway.reviews.received).toHaveLength(3);

    expect(await ask()).toEqual({
      code: 'REQUEST_CIRCUIT_BREAKER_OPEN',
      retryAfter: 1,
      data: { product: { rating: null } },
    });
    expect(gateway.reviews.received).toHaveLength(3);
    expect(await stateOf()).toBe('2');
    expect(await gateway.metrics()).toMatch(
      /meridian_circuit_breaker_rejections_total\{subgraph_name="reviews"[^}]*\} 1/,
    );

    gateway.reviews.reset();
    let outcome = await ask();
    while (outcome.code === 'REQUEST_CIRCUIT_BREAKER_OPEN') {
      outcome = await ask();
    }
    expect(outcome.code).toBeUndefined();
    expect(gateway.reviews.received).toHaveLength(1);
    expect(await stateOf()).toBe('0');
    expect(
      gateway.log.filter(({ msg }) => String(msg).includes('circuit')).map(({ state }) => state),
    ).toEqual(['open', 'half_open', 'closed']);
  });

  it('opens for one that flaps, by the part that fails', async () => {
    await gateway.start({
      config: breaks(', failure_rate_threshold: 0.5, min_requests: 6, window_size: 10'),
    });
    let count = 0;
    gateway.reviews.misbehave((response) => {
      count += 1;
      respondJson(response, { data: { _entities: [{ rating: 4 }] } }, count % 2 === 0 ? 500 : 200);
    });
    const codes = [];
    for (let index = 0; index < 7; index += 1) {
      codes.push(await codeOf());
    }
    expect(codes.filter((code) => code === undefined)).toHaveLength(3);
    expect(codes.at(-1)).toBe('REQUEST_CIRCUIT_BREAKER_OPEN');
  });

  it('counts neither errors of GraphQL nor rejections of a request', async () => {
    await gateway.start({ config: breaks() });
    for (const status of [200, 400, 401, 404]) {
      gateway.reviews.misbehave((response) => respondJson(response, { errors: [{ message: 'no' }] }, status));
      await ask();
    }
    expect(await stateOf()).toBe('0');
  });

  it('does not concern other subgraphs, and is on for all by `{}`', async () => {
    await gateway.start({
      config: 'circuit_breaker: {}\ntraffic_shaping: { all: { deduplicate_query: false } }',
    });
    gateway.reviews.misbehave((response) => respondJson(response, {}, 500));
    for (let index = 0; index < 5; index += 1) {
      expect(await codeOf()).toBe('SUBREQUEST_HTTP_ERROR');
    }
    expect(await ask()).toMatchObject({ code: 'REQUEST_CIRCUIT_BREAKER_OPEN', retryAfter: 30 });
    expect((await gateway.post({ query: 'query A { time }' })).body).toEqual({ data: { time: 'now' } });
  });

  it('stops the start for more requests than its window holds', async () => {
    const config = 'circuit_breaker: { all: { min_requests: 10, window_size: 5 } }';
    await expect(gateway.start({ config })).rejects.toThrow('takes min_requests up to window_size');
  });
});

describe('The rate limit of a subgraph', () => {
  it('lets so many requests through, and counts requests to other subgraphs for themselves', async () => {
    await gateway.start({
      config:
        'traffic_shaping: { all: { global_rate_limit: { capacity: 4, interval: 1h } }, subgraphs: { reviews: { global_rate_limit: { capacity: 2, interval: 1h } } } }',
    });
    expect([await codeOf(), await codeOf()]).toEqual([undefined, undefined]);
    expect(await ask()).toMatchObject({ code: 'REQUEST_RATE_LIMITED', data: { product: { rating: null } } });
    expect(gateway.reviews.received).toHaveLength(2);
    expect((await gateway.post({ query: 'query A { time }' })).body.data).toEqual({ time: 'now' });
  });
});
