import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  createTestDatabase,
  createTestIdentity,
  eventually,
  startRedisServer,
  startServiceProcess,
} from '@meridian/testing';
import type { RedisServer, ServiceProcess, TestIdentity } from '@meridian/testing';

import { testKey } from '../running-accounts.ts';

const perSecond = 20;

describe('Two accounts processes with one REDIS_URL', () => {
  let redis: RedisServer;
  let one: ServiceProcess;
  let other: ServiceProcess;
  let identity: TestIdentity;
  let release: () => Promise<void>;
  let tenants = 0;

  beforeAll(async () => {
    redis = await startRedisServer();
    const store = await createTestDatabase({
      migrations: new URL('../../migrations/', import.meta.url),
      serviceRole: 'meridian_accounts',
      statementTimeoutMs: 4_500,
    });
    identity = await createTestIdentity();
    const start = () =>
      startServiceProcess(new URL('../../src/main.ts', import.meta.url), {
        DATABASE_URL: store.serviceUrl,
        JWKS_URL: identity.jwksUrl.href,
        JWT_ISSUER: identity.issuer,
        JWT_AUDIENCE: identity.audience,
        ETAG_KEYS: testKey,
        CURSOR_KEYS: testKey,
        REQUEST_DEADLINE_MS: '5000',
        REDIS_URL: redis.url,
        TENANT_REQUESTS_PER_SECOND: String(perSecond),
      });
    [one, other] = await Promise.all([start(), start()]);
    release = async () => {
      await Promise.all([one.stop(), other.stop()]);
      await identity.close();
      await store.drop();
      await redis.close();
    };
  });
  afterAll(() => release());

  it("share a tenant's limit of requests a second", async () => {
    await eventually(() => countTogether());
    const { passed, refused, seconds } = await burst(one, other);
    expect(refused).toBeGreaterThan(0);
    expect(passed).toBeGreaterThanOrEqual(perSecond);
    expect(passed).toBeLessThanOrEqual(perSecond * seconds);
  });

  it('go on with half of the limit each when Redis stops, never unlimited and never down, and share it again when it is back', async () => {
    await redis.stop();
    for (const process of [one, other]) {
      const { passed, refused, seconds } = await burst(process);
      expect(refused).toBeGreaterThan(0);
      expect(passed).toBeGreaterThanOrEqual(perSecond / 2);
      expect(passed).toBeLessThanOrEqual((perSecond / 2) * seconds);
    }
    await redis.start();
    await eventually(() => countTogether());
  });

  /** With Redis, one process grants the whole limit of the tenant: more than its part in an outage. */
  async function countTogether(): Promise<void> {
    for (const process of [one, other]) {
      const { passed, seconds } = await burst(process);
      expect(passed).toBeGreaterThan((perSecond / 2) * seconds);
    }
  }

  /**
   * Lets a new tenant send more than its limit, to all processes at once. Any response but 404 and 429 fails the test.
   *
   * @returns how many passed, and how many intervals of a second that took: one, unless the machine is slow
   */
  async function burst(...processes: readonly ServiceProcess[]) {
    tenants += 1;
    const headers = { Authorization: `Bearer ${await identity.token({ tenant: `tenant-${tenants}` })}` };
    const startedMs = performance.now();
    const statuses = await Promise.all(
      processes.flatMap(({ url }) =>
        Array.from({ length: perSecond * 2 }, async () => {
          const response = await fetch(`${url}/accounts/none`, { headers });
          await response.text();
          return response.status;
        }),
      ),
    );
    const seconds = 1 + Math.floor((performance.now() - startedMs) / 1000);
    const passed = statuses.filter((status) => status === 404).length;
    const refused = statuses.filter((status) => status === 429).length;
    expect(passed + refused).toBe(statuses.length);
    return { passed, refused, seconds };
  }
});
