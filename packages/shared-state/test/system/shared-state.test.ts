import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connectRedis, createSharedBudget, createSharedTexts } from '@meridian/shared-state';
import type { RedisConnection, SharedBudget, Take } from '@meridian/shared-state';
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

describe('a shared budget', () => {
  it('is one for all processes that name it', async () => {
    const [one, other] = [budgetOf(await connected()), budgetOf(await connected())];
    expect(await takes([one.take('acme', 6), other.take('acme', 4)])).toEqual([true, true]);
    expect(await takes([one.take('acme', 1), other.take('acme', 1)])).toEqual([false, false]);
  });

  it('lets through exactly its capacity, however many ask at once', async () => {
    const budgets = [
      budgetOf(await connected(), { capacity: 100 }),
      budgetOf(await connected(), { capacity: 100 }),
    ];
    const answers = await takes(
      Array.from({ length: 300 }, (_, index) => (budgets[index % 2] as SharedBudget).take('acme', 1)),
    );
    expect(answers.filter(Boolean)).toHaveLength(100);
  });

  it('counts nothing of what it refuses, and says how long the interval lasts', async () => {
    const budget = budgetOf(await connected());
    await budget.take('acme', 8);
    expect(await budget.take('acme', 3)).toEqual({ isTaken: false, waitMs: expect.any(Number) });
    expect(await budget.take('acme', 2)).toEqual({ isTaken: true });
    const refused = await budget.take('acme', 1);
    const waitMs = refused.isTaken ? 0 : refused.waitMs;
    expect(waitMs).toBeGreaterThan(hour - 60_000);
    expect(waitMs).toBeLessThanOrEqual(hour);
  });

  it('has the whole capacity again when the interval is over, also one shorter than a second', async () => {
    const budget = budgetOf(await connected(), { intervalMs: 50 });
    await budget.take('acme', 10);
    await eventually(async () => {
      expect(await budget.take('acme', 10)).toEqual({ isTaken: true });
    });
  });

  it('has again what was given back, but grants nothing to a key without an interval', async () => {
    const budget = budgetOf(await connected());
    await budget.take('acme', 10);
    budget.giveBack('acme', 4);
    budget.giveBack('globex', 4);
    expect(await takes([budget.take('acme', 4), budget.take('acme', 1)])).toEqual([true, false]);
    expect(await takes([budget.take('globex', 10), budget.take('globex', 1)])).toEqual([true, false]);
  });

  it.each([
    ['stopped', () => server.stop(), () => server.start()],
    ['frozen', () => server.freeze(), () => server.thaw()],
  ] as const)(
    'is a local share while Redis is %s, and the shared one again after',
    async (_state, lose, regain) => {
      const budget = budgetOf(await connected());
      await budget.take('acme', 1);
      await lose();
      expect(await takes([budget.take('acme', 3), budget.take('acme', 2), budget.take('acme', 1)])).toEqual([
        true,
        true,
        false,
      ]);
      await regain();
      await eventually(() => expect(log).toContain('Redis answers again'));
      const other = budgetOf(await connected());
      await budget.take('globex', 10);
      expect(await other.take('globex', 1)).toMatchObject({ isTaken: false });
    },
  );

  it('costs one timeout while Redis is frozen, not one for each request', async () => {
    const redis = await connected({ timeoutMs: 500 });
    const budget = budgetOf(redis, { capacity: 100 });
    server.freeze();
    await budget.take('acme', 1);
    const startedMs = performance.now();
    for (let count = 0; count < 10; count += 1) {
      await budget.take('acme', 1);
    }
    // Ten timeouts would be 5 s; none at all takes no time, however slow the machine.
    expect(performance.now() - startedMs).toBeLessThan(2500);
    server.thaw();
  });

  it('lets what is dearer than the local share through, which then is used up', async () => {
    const budget = budgetOf(await connected());
    await server.stop();
    expect(await takes([budget.take('acme', 9), budget.take('acme', 1)])).toEqual([true, false]);
  });

  it('is a local share where Redis was never there, with one line in the log', async () => {
    await server.stop();
    const budget = budgetOf(connect());
    expect(await takes([budget.take('acme', 5), budget.take('acme', 1)])).toEqual([true, false]);
    await eventually(() => expect(log).toHaveLength(1));
  });
});

describe('shared texts', () => {
  it('are found by every process that names them, and by no other', async () => {
    const one = textsOf(await connected());
    one.keep('hash', 'query A { a }');
    const redis = await connected();
    await eventually(async () => expect(await textsOf(redis).find('hash')).toBe('query A { a }'));
    expect(await createSharedTexts({ redis, name: 'others', ttlSeconds: 60 }).find('hash')).toBeUndefined();
  });

  it('are absent while Redis is stopped', async () => {
    const texts = textsOf(await connected());
    await server.stop();
    texts.keep('hash', 'query A { a }');
    expect(await texts.find('hash')).toBeUndefined();
  });
});

function connect(options: { readonly timeoutMs?: number } = {}): RedisConnection {
  const write = (...line: readonly unknown[]): void => void log.push(String(line.at(-1)));
  const connection = connectRedis({
    url: server.url,
    // Long: a loaded machine is no Redis that hangs.
    timeoutMs: 2000,
    ...options,
    logger: { info: write, warn: write },
  });
  connections.push(connection);
  return connection;
}

async function connected(options: { readonly timeoutMs?: number } = {}): Promise<RedisConnection> {
  const connection = connect(options);
  await eventually(() => expect(connection.client.isReady).toBe(true));
  return connection;
}

function budgetOf(
  redis: RedisConnection,
  limit: { readonly capacity?: number; readonly intervalMs?: number } = {},
): SharedBudget {
  return createSharedBudget({
    redis,
    name: 'test',
    limit: { capacity: 10, intervalMs: hour, ...limit },
    localShare: 0.5,
  });
}

function textsOf(redis: RedisConnection): ReturnType<typeof createSharedTexts> {
  return createSharedTexts({ redis, name: 'test', ttlSeconds: 60 });
}

async function takes(answers: readonly Promise<Take>[]): Promise<boolean[]> {
  return (await Promise.all(answers)).map(({ isTaken }) => isTaken);
}
