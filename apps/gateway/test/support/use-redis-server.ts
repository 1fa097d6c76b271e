import { afterEach } from '@jest/globals';
import type { RedisServer } from '@meridian/testing';
import { startRedisServer } from '@meridian/testing';

import { useInSuite } from './use-in-suite.ts';

/** The Redis of a suite, empty for each test. Call it after `afterEach` closes what writes there. */
export function useRedisServer(): RedisServer {
  const server = useInSuite(startRedisServer);
  afterEach(async () => {
    server.thaw();
    await server.stop();
    await server.start();
  });
  return server;
}
