import { describe, expect, it } from '@jest/globals';

import {
  baseUrl,
  boolean,
  durationMs,
  host,
  integer,
  isRecord,
  oneOf,
  port,
  positiveInteger,
  positiveNumber,
  ratio,
  text,
  url,
} from '../../src/values/index.ts';
import type { ValueType } from '../../src/values/index.ts';

interface Example {
  readonly name: string;
  readonly type: ValueType<unknown>;
  readonly takes: string;
  /** Text → value. */
  readonly accepted: readonly (readonly [string, unknown])[];
  readonly rejected: readonly string[];
  /** Values of a document that it does not take. */
  readonly unread: readonly unknown[];
}

const same = (...texts: readonly string[]) => texts.map((value) => [value, value] as const);

const examples: readonly Example[] = [
  {
    name: 'integer',
    type: integer({ minimum: -5, maximum: 5 }),
    takes: 'a whole number from -5 to 5',
    accepted: [
      ['-5', -5],
      ['0', 0],
      ['5', 5],
    ],
    rejected: ['-6', '6', '+1', '1_0', 'NaN', '--1', '', '1.0', '1e0', ' 1'],
    unread: ['1', 6, 0.5, Number.NaN, null],
  },
  {
    name: 'positiveInteger',
    type: positiveInteger,
    takes: 'a whole number from 1 up',
    accepted: [
      ['1', 1],
      ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ],
    rejected: ['0', '9007199254740992', '99999999999999999999'],
    unread: [0, 2 ** 53, Number.POSITIVE_INFINITY],
  },
  {
    name: 'port',
    type: port,
    takes: 'a port number from 0 to 65535',
    accepted: [
      ['0', 0],
      ['65535', 65_535],
    ],
    rejected: ['-1', '65536', '80.5', '1e3', ' 80', '0x50'],
    unread: ['80', 65_536],
  },
  {
    name: 'durationMs',
    type: durationMs,
    takes: 'a time in milliseconds from 1 to 2147483647',
    accepted: [['2147483647', 2_147_483_647]],
    rejected: ['0', '2147483648', '2s'],
    unread: [0, '2s'],
  },
  {
    name: 'ratio',
    type: ratio,
    takes: 'a number from 0 to 1, such as 0.05',
    accepted: [
      ['0', 0],
      ['1', 1],
      ['1.0', 1],
      ['0.05', 0.05],
    ],
    rejected: ['2', '1.5', '1.000000001', '-0.1', '.5', '5%', '1e-2', 'half', ''],
    unread: [1.5, -0.1, Number.NaN, '0.5'],
  },
  {
    name: 'positiveNumber',
    type: positiveNumber,
    takes: 'a number above 0',
    accepted: [
      ['3', 3],
      ['0.5', 0.5],
    ],
    rejected: ['0', '0.0', '-1', '1e3', '', 'many', 'Infinity'],
    unread: [0, Number.POSITIVE_INFINITY, '3'],
  },
  {
    name: 'boolean',
    type: boolean,
    takes: 'true or false',
    accepted: [
      ['true', true],
      ['false', false],
    ],
    rejected: ['1', 'yes', 'TRUE', ''],
    unread: ['true', 1, null],
  },
  {
    name: 'oneOf',
    type: oneOf(['debug', 'info']),
    takes: 'one of debug, info',
    accepted: same('debug', 'info'),
    rejected: ['Debug', 'loud', ''],
    unread: [['debug'], 1],
  },
  { name: 'text', type: text, takes: 'a text', accepted: same('a', ' '), rejected: [''], unread: [1, null] },
  {
    name: 'url',
    type: url(['https', 'http']),
    takes: 'a URL that starts with https:// or http://',
    accepted: same('https://a/b?c#d', 'HTTP://a'),
    rejected: ['example.com', 'ftp://example.com', 'https:example.com', ' https://a', 'https://', ''],
    unread: [new URL('https://a'), null],
  },
  {
    name: 'baseUrl',
    type: baseUrl,
    takes: 'a URL that starts with https:// or http://, without credentials, query and fragment',
    accepted: same('https://api.example', 'http://127.0.0.1:4001', 'https://api.example/v/', 'HTTP://A'),
    rejected: [
      'api.example',
      'ftp://a',
      'https://',
      'https://u:p@a',
      'https://u@a',
      'https://a/?b',
      'https://a/#b',
      'https://a b',
    ],
    unread: [1],
  },
  {
    name: 'host',
    type: host,
    takes: 'an IP address or a host name',
    accepted: same('127.0.0.1', '0.0.0.0', '::', '::1', 'localhost', 'db-1.internal', '1a', 'A'),
    rejected: [
      'a b',
      'http://a',
      'a:80',
      '127.0.0.256',
      '-a',
      'a..b',
      '[::1]',
      'a/b',
      '*',
      'a'.repeat(64),
      '',
    ],
    unread: [1],
  },
];

describe.each(examples)('$name', ({ type, takes, accepted, rejected, unread }) => {
  it(`takes ${takes}`, () => {
    expect(type.takes).toBe(takes);
  });

  it.each(accepted)('reads "%s" as its value, from a text and from a document', (given, value) => {
    expect(type.parse(given)).toBe(value);
    expect(type.read(value)).toBe(value);
  });

  it.each(rejected)('rejects the text "%s"', (given) => {
    expect(type.parse(given)).toBeUndefined();
  });

  it('refuses any other value of a document', () => {
    expect(unread.map((value) => type.read(value))).toEqual(unread.map(() => undefined));
  });
});

describe('The JSON Schema of a type', () => {
  it('has its bounds, or its words', () => {
    expect(positiveInteger.schema).toEqual({ type: 'integer', minimum: 1 });
    expect(port.schema).toEqual({ type: 'integer', minimum: 0, maximum: 65_535 });
    expect(oneOf(['a', 'b']).schema).toEqual({ enum: ['a', 'b'] });
  });
});

describe('isRecord', () => {
  it('is true for objects with members, not for lists, scalars and null', () => {
    expect([{}, { a: 1 }].map(isRecord)).toEqual([true, true]);
    expect([[], 'a', 1, true, null, undefined].map(isRecord)).not.toContain(true);
  });
});
