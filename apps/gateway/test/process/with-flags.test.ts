import { describe, expect, it } from '@jest/globals';

import { withFlags } from '../../src/process/with-flags.ts';

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
});
