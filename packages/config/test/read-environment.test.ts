import { describe, expect, it } from '@jest/globals';
import {
  EnvironmentError,
  baseUrl,
  boolean,
  durationMs,
  host,
  integer,
  logVariables,
  oneOf,
  port,
  readEnvironment,
  secretList,
  string,
  url,
  variable,
} from '@meridian/config';
import type { Variables } from '@meridian/config';

const newKey = 'n'.repeat(32);
const oldKey = 'o'.repeat(32);

describe('readEnvironment', () => {
  it('reads each variable as its own type', () => {
    const environment = readEnvironment(
      {
        HOST: '127.0.0.1',
        PORT: '4001',
        POOL_SIZE: '10',
        REQUEST_DEADLINE_MS: '2000',
        DATABASE_URL: 'postgres://alice:secret@localhost/accounts',
        ETAG_KEYS: `${newKey}, ${oldKey}`,
        LOG_LEVEL: 'debug',
        PIPELINING: 'false',
      },
      {
        HOST: string({}),
        PORT: port({}),
        POOL_SIZE: integer({ minimum: 1, maximum: 100 }, {}),
        REQUEST_DEADLINE_MS: durationMs({}),
        DATABASE_URL: url(['postgres', 'postgresql'], { secret: true }),
        ETAG_KEYS: secretList({}),
        LOG_LEVEL: oneOf(['debug', 'info'], {}),
        PIPELINING: boolean({}),
      },
    );
    expect(environment).toStrictEqual({
      HOST: '127.0.0.1',
      PORT: 4001,
      POOL_SIZE: 10,
      REQUEST_DEADLINE_MS: 2000,
      DATABASE_URL: 'postgres://alice:secret@localhost/accounts',
      ETAG_KEYS: [newKey, oldKey],
      LOG_LEVEL: 'debug',
      PIPELINING: false,
    });
  });

  it('gives the types that the options promise', () => {
    const environment = readEnvironment(
      { NODE_ENV: 'development', HOST: 'localhost' },
      {
        HOST: string({}),
        PORT: port({ default: 4001 }),
        REDIS_URL: url(['redis'], { optional: true }),
      },
    );
    // Compiles only when optional variables, and they alone, can be undefined.
    const { HOST, PORT, REDIS_URL }: { HOST: string; PORT: number; REDIS_URL: string | undefined } =
      environment;
    expect({ HOST, PORT, REDIS_URL }).toEqual({ HOST: 'localhost', PORT: 4001, REDIS_URL: undefined });
  });

  it('freezes what it returns', () => {
    const environment = readEnvironment({ KEYS: newKey }, { KEYS: secretList({}) });
    expect(Object.isFrozen(environment)).toBe(true);
    expect(Object.isFrozen(environment.KEYS)).toBe(true);
  });

  it('treats an empty variable as absent', () => {
    expect(readEnvironment({ PORT: '' }, { PORT: port({ default: 4001 }) })).toEqual({ PORT: 4001 });
  });

  it('reports every fault at once, one line for each variable', () => {
    const faults = faultsOf(
      { PORT: 'eighty', HOST: '127.0.0.1', LOG_LEVEL: 'loud' },
      {
        PORT: port({ default: 4001 }),
        HOST: string({}),
        LOG_LEVEL: oneOf(['debug', 'info'], {}),
        NAME: string({}),
      },
    );
    expect(faults).toEqual([
      'PORT holds "eighty"; it takes a port number from 0 to 65535',
      'LOG_LEVEL holds "loud"; it takes one of debug, info',
      'NAME is not set; it takes a text',
    ]);
  });

  it.each([
    {
      what: 'a URL with a password',
      declared: { V: url(['postgres'], { secret: true }) },
      text: 'mysql://u:hunter2@h',
    },
    { what: 'a short key', declared: { V: secretList({}) }, text: 'hunter2' },
    { what: 'a list with one short key', declared: { V: secretList({}) }, text: `${newKey},hunter2` },
  ])('never shows $what', ({ declared, text }) => {
    const [fault] = faultsOf({ V: text }, declared);
    expect(fault).toMatch(/^V holds a secret of another form; it takes /);
    expect(fault).not.toContain('hunter2');
  });

  it.each(['http://u:hunter2@h/jwks', 'http://hunter2@h', 'http://u:hunter2@hunter2@h'])(
    'shows %s without its credentials, though it is not declared a secret',
    (text) => {
      const [fault] = faultsOf({ V: text }, { V: url(['https'], {}) });
      expect(fault).toMatch(/^V holds "http:\/\/…@h/);
      expect(fault).not.toContain('hunter2');
    },
  );

  it('keeps a value with line breaks on one line and shortens a long one', () => {
    const [fault] = faultsOf({ V: `a\nb${'c'.repeat(500)}` }, { V: port({}) });
    expect(fault).toContain(String.raw`"a\nb`);
    expect(fault?.length).toBeLessThan(200);
  });

  it.each([
    { nodeEnv: 'development', faults: [] },
    {
      nodeEnv: 'production',
      faults: [expect.stringContaining('KEYS is not set, and is required in production')],
    },
    { nodeEnv: 'test', faults: [expect.stringContaining('KEYS is not set')] },
    { nodeEnv: undefined, faults: [expect.stringContaining('KEYS is not set')] },
  ])(
    'requires a production secret when NODE_ENV is $nodeEnv unless that is development',
    ({ nodeEnv, faults }) => {
      expect(faultsOf({ NODE_ENV: nodeEnv }, { KEYS: secretList({ requiredIn: 'production' }) })).toEqual(
        faults,
      );
    },
  );

  it('accepts a new kind of variable, which may depend on the mode', () => {
    const declared = {
      JWKS_URL: variable(
        {
          takes: 'an https:// URL, in development also a file:// URL',
          parse: (text, mode) =>
            text.startsWith('https://') || (mode === 'development' && text.startsWith('file://'))
              ? text
              : undefined,
        },
        {},
      ),
    };
    expect(faultsOf({ NODE_ENV: 'development', JWKS_URL: 'file:///jwks.json' }, declared)).toEqual([]);
    expect(faultsOf({ JWKS_URL: 'file:///jwks.json' }, declared)).toEqual([
      'JWKS_URL holds "file:///jwks.json"; it takes an https:// URL, in development also a file:// URL',
    ]);
  });
});

describe('A variable accepts', () => {
  it.each([
    [
      'a base URL',
      baseUrl({}),
      ['https://api.example', 'http://127.0.0.1:4001', 'https://api.example/v/', 'HTTP://A'],
    ],
    ['a host', host({}), ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost', 'db-1.internal', '1a', 'A']],
  ])('%s', (_what, declared, texts) => {
    for (const text of texts) {
      expect(readEnvironment({ V: text }, { V: declared })).toEqual({ V: text });
    }
  });
});

describe('A variable refuses', () => {
  it.each([
    ['a port', port({}), ['-1', '65536', '80.5', '1e3', ' 80', '0x50']],
    ['an integer', integer({ minimum: -5, maximum: 5 }, {}), ['-6', '6', '+1', '1_0', 'NaN', '--1']],
    ['a duration', durationMs({}), ['0', '2147483648', '2s']],
    ['a boolean', boolean({}), ['1', 'yes', 'TRUE']],
    [
      'a URL',
      url(['https'], {}),
      ['example.com', 'http://example.com', 'https:example.com', ' https://a', 'https://'],
    ],
    [
      'a base URL',
      baseUrl({}),
      [
        'api.example',
        'ftp://a',
        'https://',
        'https://u:p@a',
        'https://u@a',
        'https://a/?b',
        'https://a/#b',
        'https://a b',
      ],
    ],
    [
      'a host',
      host({}),
      ['a b', 'http://a', 'a:80', '127.0.0.256', '-a', 'a..b', '[::1]', 'a/b', '*', 'a'.repeat(64)],
    ],
    ['a secret list', secretList({}), [',', `${newKey},`, 'short']],
  ])('%s in any other form', (_what, declared, texts) => {
    for (const text of texts) {
      expect([text, faultsOf({ V: text }, { V: declared })]).toEqual([
        text,
        [expect.stringMatching(/^V holds /)],
      ]);
    }
  });
});

function faultsOf(env: Record<string, string | undefined>, declared: Variables): readonly string[] {
  try {
    readEnvironment(env, declared);
    return [];
  } catch (error) {
    if (error instanceof EnvironmentError) {
      return error.faults;
    }
    throw error;
  }
}

describe('logVariables', () => {
  it('default to info and every request', () => {
    expect(readEnvironment({}, logVariables)).toEqual({ LOG_LEVEL: 'info', LOG_REQUEST_RATIO: 1 });
  });

  it.each([
    ['0', 0],
    ['1', 1],
    ['1.0', 1],
    ['0.05', 0.05],
  ])('accept the ratio %s', (text, value) => {
    expect(readEnvironment({ LOG_REQUEST_RATIO: text }, logVariables)).toMatchObject({
      LOG_REQUEST_RATIO: value,
    });
  });

  it.each(['2', '1.5', '-0.1', '.5', '5%', '1e-2', 'half'])('refuse the ratio %s', (text) => {
    expect(() => readEnvironment({ LOG_REQUEST_RATIO: text }, logVariables)).toThrow(
      /LOG_REQUEST_RATIO .*it takes a number from 0 to 1, such as 0.05/,
    );
  });

  it('refuse an unknown level', () => {
    expect(() => readEnvironment({ LOG_LEVEL: 'verbose' }, logVariables)).toThrow(
      /LOG_LEVEL .*it takes one of trace, debug, info, warn, error, fatal, silent/,
    );
  });
});
