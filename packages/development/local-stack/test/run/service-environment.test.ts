import { describe, expect, it } from '@jest/globals';

import { dataDirectoryAt } from '../../src/data-directory.ts';
import { environmentOf } from '../../src/run/service-environment.ts';
import { readServices, serviceNamed } from '../../src/apps/services.ts';

const services = readServices();

function environment(name: string, inherited: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return environmentOf(serviceNamed(name, services), {
    environment: inherited,
    data: dataDirectoryAt('/data'),
    identity: {
      issuer: 'http://meridian.localhost',
      audience: 'meridian',
      jwksUrl: new URL('file:///data/identity/jwks.json'),
      signToken: () => Promise.resolve('token'),
    },
    secretFor: (purpose) => `secret for ${purpose}`,
    services,
  });
}

describe('environmentOf', () => {
  it('never passes on the administrator’s DATABASE_URL, nor a port meant for another program', () => {
    expect(environment('gateway', { DATABASE_URL: 'postgresql://admin@db', PORT: '3000' })).toMatchObject({
      DATABASE_URL: undefined,
      PORT: '4000',
    });
  });

  it('passes on what the stack does not set', () => {
    expect(environment('orders', { REDIS_URL: 'redis://127.0.0.1' })).toMatchObject({
      REDIS_URL: 'redis://127.0.0.1',
    });
  });

  it("gives the gateway the subgraphs' URLs, and the development configuration as an overlay of router.yaml", () => {
    expect(environment('gateway', {})).toMatchObject({
      PRODUCTS_URL: 'http://127.0.0.1:4002/graphql',
      USERS_URL: 'http://127.0.0.1:4005/graphql',
      ROUTER_CONFIG_PATH: 'router.yaml',
      ROUTER_CONFIG_OVERLAY_PATH: 'router.development.yaml',
    });
  });

  it('gives reviews the URL of products', () => {
    expect(environment('reviews', {})).toMatchObject({ PRODUCTS_URL: 'http://127.0.0.1:4002/graphql' });
  });

  it('lets the user choose another configuration', () => {
    expect(environment('gateway', { ROUTER_CONFIG_OVERLAY_PATH: '' })).toMatchObject({
      ROUTER_CONFIG_OVERLAY_PATH: '',
    });
  });

  it('gives each service keys of its own', () => {
    expect(environment('orders', {})['ETAG_KEYS']).not.toBe(environment('accounts', {})['ETAG_KEYS']);
  });
});
