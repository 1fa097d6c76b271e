import { describe, expect, it } from '@jest/globals';

import { withFlags } from '../../src/program/with-flags.ts';

describe('withFlags', () => {
  it('lets a flag override its variable', () => {
    const env = { PORT: '1', HOST: '::1', LOG_LEVEL: 'warn' };
    expect(withFlags(env, ['--port', '0', '--workers', '2'])).toEqual({
      ...env,
      PORT: '0',
      WEB_CONCURRENCY: '2',
    });
  });

  it.each(['--host=no host', '--port=x', '--port=', '--admin-port=65536', '--workers=0'])(
    'names the flag of %s, not its variable',
    (arg) => {
      const [flag, text] = arg.split('=');
      expect(() => withFlags({}, [arg])).toThrow(`${flag} is ${JSON.stringify(text)}; it takes `);
    },
  );

  it.each([
    ['--dev --subgraph books', '--subgraph is "books"; it takes <name>=<url>'],
    ['--dev --subgraph books=ftp://a/', '--subgraph is "books=ftp://a/"; it takes <name>=<url>'],
    [
      '--dev --subgraph a=http://a/ --subgraph a=http://b/',
      'it takes <name>=<url>, such as books=http://localhost:4171/, each name once',
    ],
    ['--dev --subgraph a=http://a/ --supergraph b.graphql', 'does not take --supergraph beside it'],
    ['--subgraph a=http://a/', '--subgraph takes --dev beside it'],
  ])('does not take %s', (args, fault) => {
    expect(() => withFlags({}, args.split(' '))).toThrow(fault);
  });

  it("takes Apollo Router's flags and variables, which the gateway's own override", () => {
    const flags = [
      '-s',
      'a.graphql',
      '-c',
      'b.yaml',
      '--listen',
      '[::1]:4001',
      '--log',
      'OFF',
      '--hot-reload',
    ];
    const variables = {
      SUPERGRAPH_PATH: 'a.graphql',
      ROUTER_CONFIG_PATH: 'b.yaml',
      HOST: '::1',
      PORT: '4001',
      LOG_LEVEL: 'silent',
    };
    expect(withFlags({}, flags)).toEqual(variables);
    const ofRouter = {
      APOLLO_ROUTER_SUPERGRAPH_PATH: 'a.graphql',
      APOLLO_ROUTER_CONFIG_PATH: 'b.yaml',
      APOLLO_ROUTER_LISTEN_ADDRESS: '[::1]:4001',
      APOLLO_ROUTER_LOG: 'off',
    };
    expect(withFlags(ofRouter, [])).toEqual({ ...ofRouter, ...variables });
    expect(withFlags({ ...ofRouter, PORT: '1' }, ['-c', 'c.yaml'])).toMatchObject({
      PORT: '1',
      ROUTER_CONFIG_PATH: 'c.yaml',
    });
    expect(withFlags({ APOLLO_ROUTER_DEV: 'true' }, [])).toMatchObject({ NODE_ENV: 'development' });
  });

  it.each([
    [
      { APOLLO_ROUTER_LOG: 'apollo_router=debug' },
      'APOLLO_ROUTER_LOG is "apollo_router=debug"; it takes one of',
    ],
    [{ APOLLO_ROUTER_LISTEN_ADDRESS: '4000' }, 'APOLLO_ROUTER_LISTEN_ADDRESS is "4000"; it takes an address'],
    [{ APOLLO_ROUTER_SUPERGRAPH_URLS: 'https://a,https://b' }, 'SUPERGRAPH_PATH takes one'],
  ])('names what takes the place of %j', (env, fault) => {
    expect(() => withFlags(env, [])).toThrow(fault);
  });

  it('has a log of text for development on a terminal, unless LOG_FORMAT says otherwise', () => {
    expect(withFlags({}, ['--dev'], true)['LOG_FORMAT']).toBe('text');
    expect(withFlags({ LOG_FORMAT: 'json' }, ['--dev'], true)['LOG_FORMAT']).toBe('json');
    expect(withFlags({}, ['--dev'])['LOG_FORMAT']).toBeUndefined();
    expect(withFlags({}, [], true)['LOG_FORMAT']).toBeUndefined();
  });
});
