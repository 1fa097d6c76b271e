import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { RedisServer } from '@meridian/testing';
import { startRedisServer } from '@meridian/testing';

/** The Redis of a suite, empty for each test. Call it after `afterEach` closes what writes there. */
export function useRedisServer(): RedisServer {
  let server: RedisServer | undefined;
  beforeAll(async () => {
    server = await startRedisServer();
  });
  afterEach(async () => {
    server?.thaw();
    await server?.stop();
    await server?.start();
  });
  afterAll(() => server?.close());
  return new Proxy({} as RedisServer, {
    get(_target, name) {
      if (server === undefined) {
        throw new Error('Redis has not started');
      }
      return Reflect.get(server, name) as unknown;
    },
  });
}
