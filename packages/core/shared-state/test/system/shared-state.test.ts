import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connectRedis, createSharedRateLimiter, createApqStore } from '@meridian/shared-state';
import type { RedisConnection, SharedRateLimiter, Consumption } from '@meridian/shared-state';
import { eventually, startRedisServer } from '@meridian/testing';
import type { RedisServer } from '@meridian/testing';

/** An interval that no test sees the end of. */
const hour = 3_600_000;

let server: RedisServer;
let log: string[];
let connections: RedisConnection[];

beforeEach(async () => {
  server = await startRedisServer();
  log = [];
  connections = [];
});
afterEach(async () => {
  connections.forEach((connection) => connection.close());
  await server.close();
});

describe('A shared rate limiter', () => {
  it('is one for all processes that name it', async () => {
    const [one, other] = [budgetOf(await connected()), budgetOf(await connected())];
    expect(await takes([one.consume('acme', 6), other.consume('acme', 4)])).toEqual([true, true]);
    expect(await takes([one.consume('acme', 1), other.consume('acme', 1)])).toEqual([false, false]);
  });

  it('grants exactly its capacity to concurrent callers', async () => {
    const rateLimiters = [
      budgetOf(await connected(), { capacity: 100 }),
      budgetOf(await connected(), { capacity: 100 }),
    ];
    const responses = await takes(
      Array.from({ length: 300 }, (_, index) =>
        (rateLimiters[index % 2] as SharedRateLimiter).consume('acme', 1),
      ),
    );
    expect(responses.filter(Boolean)).toHaveLength(100);
  });

  it('counts nothing of what it refuses, and returns the time until the next interval', async () => {
    const rateLimiter = budgetOf(await connected());
    await rateLimiter.consume('acme', 8);
    expect(await rateLimiter.consume('acme', 3)).toEqual({
      isConsumed: false,
      left: 2,
      waitMs: expect.any(Number),
    });
    expect(await rateLimiter.consume('acme', 2)).toMatchObject({ isConsumed: true });
    const refused = await rateLimiter.consume('acme', 1);
    const waitMs = refused.isConsumed ? 0 : refused.waitMs;
    expect(waitMs).toBeGreaterThan(hour - 60_000);
    expect(waitMs).toBeLessThanOrEqual(hour);
  });

  it('has its whole capacity again after the interval, also one shorter than a second', async () => {
    const rateLimiter = budgetOf(await connected(), { intervalMs: 50 });
    await rateLimiter.consume('acme', 10);
    await eventually(async () => {
      expect(await rateLimiter.consume('acme', 10)).toMatchObject({ isConsumed: true });
    });
  });

  it('refunds an amount, but grants nothing to a key without an interval', async () => {
    const rateLimiter = budgetOf(await connected());
    await rateLimiter.consume('acme', 10);
    rateLimiter.refund('acme', 4);
    rateLimiter.refund('globex', 4);
    expect(await takes([rateLimiter.consume('acme', 4), rateLimiter.consume('acme', 1)])).toEqual([
      true,
      false,
    ]);
    expect(await takes([rateLimiter.consume('globex', 10), rateLimiter.consume('globex', 1)])).toEqual([
      true,
      false,
    ]);
  });

  it.each([
    ['stopped', () => server.stop(), () => server.start()],
    ['frozen', () => server.freeze(), () => server.thaw()],
  ] as const)(
    'is a local share while Redis is %s, and the shared limit again after',
    async (_state, lose, regain) => {
      const rateLimiter = budgetOf(await connected());
      await rateLimiter.consume('acme', 1);
      await lose();
      expect(
        await takes([
          rateLimiter.consume('acme', 3),
          rateLimiter.consume('acme', 2),
          rateLimiter.consume('acme', 1),
        ]),
      ).toEqual([true, true, false]);
      await regain();
      await eventually(() => expect(log).toContain('Redis responds again'));
      const other = budgetOf(await connected());
      await rateLimiter.consume('globex', 10);
      expect(await other.consume('globex', 1)).toMatchObject({ isConsumed: false });
    },
  );

  it('costs one timeout while Redis is frozen, not one for each request', async () => {
    const redis = await connected({ timeoutMs: 500 });
    const rateLimiter = budgetOf(redis, { capacity: 100 });
    server.freeze();
    await rateLimiter.consume('acme', 1);
    const startedMs = performance.now();
    for (let count = 0; count < 10; count += 1) {
      await rateLimiter.consume('acme', 1);
    }
    // Ten timeouts would be 5 s; none at all takes no time, however slow the machine.
    expect(performance.now() - startedMs).toBeLessThan(2500);
    server.thaw();
  });

  it('grants an amount over the local share, which is then used up', async () => {
    const rateLimiter = budgetOf(await connected());
    await server.stop();
    expect(await takes([rateLimiter.consume('acme', 9), rateLimiter.consume('acme', 1)])).toEqual([
      true,
      false,
    ]);
  });

  it('is a local share when Redis was never reachable, with one log line', async () => {
    await server.stop();
    const rateLimiter = budgetOf(await connect());
    expect(await takes([rateLimiter.consume('acme', 5), rateLimiter.consume('acme', 1)])).toEqual([
      true,
      false,
    ]);
    await eventually(() => expect(log).toHaveLength(1));
  });

  it('is a local share while Redis rejects calls, which the log says once', async () => {
    const connection = await connect();
    await eventually(() => expect(log).toEqual(['Redis responds']));
    await connection.client.configSet({ maxmemory: '1', 'maxmemory-policy': 'noeviction' });
    const rateLimiter = budgetOf(connection);
    expect(await takes([rateLimiter.consume('acme', 5), rateLimiter.consume('acme', 1)])).toEqual([
      true,
      false,
    ]);
    expect(log.slice(1)).toEqual(['Redis rejects a call; each process continues with its local share']);
  });
});

describe('The shared APQ store', () => {
  it('returns a text to every process with the same store name, and to no other', async () => {
    const one = textsOf(await connected());
    one.keep('hash', 'query A { a }');
    const redis = await connected();
    await eventually(async () => expect(await textsOf(redis).find('hash')).toBe('query A { a }'));
    expect(await createApqStore({ redis, name: 'others', ttlSeconds: 60 }).find('hash')).toBeUndefined();
  });

  it('keeps the end of its time at each use where that is set so', async () => {
    const redis = await connected();
    const texts = createApqStore({ redis, name: 'apq', ttlSeconds: 3600, resetsTtl: false });
    await redis.ask((client) =>
      client.set('meridian:apq:hash', 'query A { a }', { expiration: { type: 'EX', value: 60 } }),
    );
    expect(await texts.find('hash')).toBe('query A { a }');
    expect(await redis.ask((client) => client.ttl('meridian:apq:hash'))).toBeLessThanOrEqual(60);
    await createApqStore({ redis, name: 'apq', ttlSeconds: 3600 }).find('hash');
    expect(await redis.ask((client) => client.ttl('meridian:apq:hash'))).toBeGreaterThan(60);
  });

  it('returns no text while Redis is stopped', async () => {
    const texts = textsOf(await connected());
    await server.stop();
    texts.keep('hash', 'query A { a }');
    expect(await texts.find('hash')).toBeUndefined();
  });
});

async function connect(options: { readonly timeoutMs?: number } = {}): Promise<RedisConnection> {
  const write = (...line: readonly unknown[]): void => void log.push(String(line.at(-1)));
  const connection = await connectRedis({
    url: server.url,
    // Long, so that a busy machine is not taken for a Redis that hangs.
    timeoutMs: 2000,
    ...options,
    logger: { info: write, warn: write },
  });
  connections.push(connection);
  return connection;
}

async function connected(options: { readonly timeoutMs?: number } = {}): Promise<RedisConnection> {
  const connection = await connect(options);
  await eventually(() => expect(connection.client.isReady).toBe(true));
  return connection;
}

function budgetOf(
  redis: RedisConnection,
  limit: { readonly capacity?: number; readonly intervalMs?: number } = {},
): SharedRateLimiter {
  return createSharedRateLimiter({
    redis,
    name: 'test',
    limit: { capacity: 10, intervalMs: hour, ...limit },
    fallbackFraction: 0.5,
  });
}

function textsOf(redis: RedisConnection): ReturnType<typeof createApqStore> {
  return createApqStore({ redis, name: 'test', ttlSeconds: 60 });
}

async function takes(responses: readonly Promise<Consumption>[]): Promise<boolean[]> {
  return (await Promise.all(responses)).map(({ isConsumed }) => isConsumed);
}
