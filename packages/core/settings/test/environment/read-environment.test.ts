import { describe, expect, it } from '@jest/globals';
import {
  EnvironmentError,
  boolean,
  durationMs,
  integer,
  logVariables,
  oneOf,
  port,
  readEnvironment,
  secretList,
  text,
  url,
  variable,
} from '../../src/environment/index.ts';
import type { Variables } from '../../src/environment/index.ts';

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
        HOST: variable(text, {}),
        PORT: variable(port, {}),
        POOL_SIZE: variable(integer({ minimum: 1, maximum: 100 }), {}),
        REQUEST_DEADLINE_MS: variable(durationMs, {}),
        DATABASE_URL: variable(url(['postgres', 'postgresql']), { secret: true }),
        ETAG_KEYS: secretList({}),
        LOG_LEVEL: variable(oneOf(['debug', 'info']), {}),
        PIPELINING: variable(boolean, {}),
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
        HOST: variable(text, {}),
        PORT: variable(port, { default: 4001 }),
        REDIS_URL: variable(url(['redis']), { optional: true }),
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
    expect(readEnvironment({ PORT: '' }, { PORT: variable(port, { default: 4001 }) })).toEqual({
      PORT: 4001,
    });
  });

  it('reports every fault at once, one line for each variable', () => {
    const faults = faultsOf(
      { PORT: 'eighty', HOST: '127.0.0.1', LOG_LEVEL: 'loud' },
      {
        PORT: variable(port, { default: 4001 }),
        HOST: variable(text, {}),
        LOG_LEVEL: variable(oneOf(['debug', 'info']), {}),
        NAME: variable(text, {}),
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
      declared: { V: variable(url(['postgres']), { secret: true }) },
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
      const [fault] = faultsOf({ V: text }, { V: variable(url(['https']), {}) });
      expect(fault).toMatch(/^V holds "http:\/\/…@h/);
      expect(fault).not.toContain('hunter2');
    },
  );

  it('keeps a value with line breaks on one line and shortens a long one', () => {
    const [fault] = faultsOf({ V: `a\nb${'c'.repeat(500)}` }, { V: variable(port, {}) });
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

  it('accepts a new type of variable, which may depend on the mode', () => {
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

describe('A list of secrets', () => {
  it.each([',', `${newKey},`, 'short'])('refuses %s', (text) => {
    expect(faultsOf({ V: text }, { V: secretList({}) })).toEqual([expect.stringMatching(/^V holds /)]);
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
  it('default to info, every request, and no format of their own', () => {
    expect(readEnvironment({}, logVariables)).toEqual({
      LOG_FORMAT: undefined,
      LOG_LEVEL: 'info',
      LOG_REQUEST_RATIO: 1,
    });
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
