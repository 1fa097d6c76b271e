import { describe, expect, it } from '@jest/globals';
import { eventually, startRedisServer } from '@meridian/testing';

import { startTestGateway } from '../support/test-gateway.ts';
import { useInSuite } from '../support/use-in-suite.ts';

const redis = useInSuite(startRedisServer);

const supergraphs = '{ one: { path: /one }, two: { path: /two, supergraph: /nowhere } }';
const planStore =
  'supergraph: { query_planning: { cache: { redis: { urls: ["redis://127.0.0.1:1"], required_to_start: true } } } }';
const subscriptions = `
subscription: { enabled: true, mode: { callback: { public_url: 'http://127.0.0.1/callback', listen: 192.0.2.1:1, path: /callback } } }`;
const responseStore =
  'response_cache: { enabled: true, subgraph: { all: { redis: { urls: ["redis://127.0.0.1:1"], required_to_start: true } } } }';
const invalidations =
  "response_cache: { enabled: true, invalidation: { listen: '192.0.2.1:1', path: /invalidation } }";
const sharedListener = `${invalidations}\nmeridian: { graphs: { one: { path: /one }, two: { path: /two } } }`;

describe('A start that fails', () => {
  it.each([
    ['one of two supergraphs', `meridian: { graphs: ${supergraphs} }`, /\/nowhere/u],
    ['the store of plans', planStore, /query_planning\.cache\.redis/u],
    ['the listener for callbacks', subscriptions, /192\.0\.2\.1/u],
    ['the store of responses', responseStore, /response_cache\.subgraph\.all\.redis/u],
    ['the listener for invalidations', invalidations, /192\.0\.2\.1/u],
    ['two listeners at one address', sharedListener, /the graphs one and two have the same address/u],
  ])('for %s leaves no socket open, and no timer', async (_reason, config, message) => {
    const open = (): readonly string[] =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout' || name === 'TCPSocketWrap');
    const fail = async (): Promise<void> =>
      await expect(startTestGateway({ config, env: { REDIS_URL: redis.url } })).rejects.toThrow(message);
    // Some parts are loaded once.
    await fail();
    const before = open().length;
    for (let start = 0; start < 3; start += 1) {
      await fail();
    }
    await eventually(() => expect(open().length).toBeLessThanOrEqual(before));
  });
});
