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
});
