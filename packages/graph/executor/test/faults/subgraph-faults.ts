// Long because it is data: every way in which a subgraph is known to be bad, and what has to come of it.
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';

import type { SubrequestCode } from '../../src/index.ts';
import { soundLevel } from './depot.ts';

/** An answer in which a level stands wherever the operation has it. */
export type Around = (levelText: string) => string;

export interface Fault {
  readonly name: string;
  /** Answers a request of which the operation is already read. */
  readonly response: (response: ServerResponse, around: Around) => unknown;
  readonly outcome: Outcome;
}

/** A code: the level is null, with that error at its place. Else the level, and the errors below it. */
export type Outcome =
  | SubrequestCode
  | {
      readonly level: unknown;
      /** The field below the level, '' for the level itself. */
      readonly violations: readonly string[];
    };

const mebibyte = 1_048_576;
/** Made once: it takes longer than a request may. */
const bomb = gzipSync(Buffer.alloc(100 * mebibyte, '0'), { level: 1 });
const sound = JSON.stringify(soundLevel);
const stowaway = '{"data":{"level":{"name":"of another answer"}}}';

/** Written to the connection as they are; transport/http1/http1-client.test.ts has every other way to frame a response wrongly. */
const rawFaults: readonly [name: string, outcome: SubrequestCode, bytes: (body: string) => string][] = [
  ['bytes that are not HTTP', 'SUBREQUEST_HTTP_ERROR', () => 'garbage\r\n\r\n'],
  ['nothing but the end of the connection', 'SUBREQUEST_HTTP_ERROR', () => ''],
  ['half a head', 'SUBREQUEST_HTTP_ERROR', () => 'HTTP/1.1 200 OK\r\nContent-Le'],
  [
    'a body that is shorter than it says',
    'SUBREQUEST_HTTP_ERROR',
    (body) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length + 1}\r\n\r\n${body}`,
  ],
  [
    'a body that is longer than it says',
    'SUBREQUEST_MALFORMED_RESPONSE',
    (body) => `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n${body}`,
  ],
  [
    'a response and a second, unsolicited one',
    'SUBREQUEST_MALFORMED_RESPONSE',
    () =>
      `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\nContent-Length: ${stowaway.length}\r\n\r\n${stowaway}`,
  ],
  [
    'chunks that do not end',
    'SUBREQUEST_HTTP_ERROR',
    (body) =>
      `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n`,
  ],
];

const transportFaults: readonly Fault[] = [
  { name: 'silence', response: () => {}, outcome: 'GATEWAY_TIMEOUT' },
  {
    name: 'silence after the head',
    response: (response) => response.writeHead(200).flushHeaders(),
    outcome: 'GATEWAY_TIMEOUT',
  },
  {
    name: 'silence in the body',
    response: (response) => void response.writeHead(200).write('{"data":'),
    outcome: 'GATEWAY_TIMEOUT',
  },
  { name: 'a body of one space after another', response: trickle, outcome: 'GATEWAY_TIMEOUT' },
  {
    name: 'a reset',
    response: ({ req }) => void req.socket.resetAndDestroy(),
    outcome: 'SUBREQUEST_HTTP_ERROR',
  },
  {
    name: 'a reset in the body',
    response: (response) =>
      void response.writeHead(200).write('{"data":', () => response.req.socket.resetAndDestroy()),
    outcome: 'SUBREQUEST_HTTP_ERROR',
  },
  ...rawFaults.map(([name, outcome, bytes]): Fault => ({
    name,
    response: ({ req }, around) => void req.socket.end(bytes(around(sound))),
    outcome,
  })),
  ...[500, 503, 404, 400, 401, 302, 307, 300].map((status): Fault => ({
    name: `the status ${status}, with data and no errors`,
    response: (response, around) =>
      void response.writeHead(status, { Location: '/graphql' }).end(around(sound)),
    outcome: 'SUBREQUEST_HTTP_ERROR',
  })),
  {
    name: 'the status 204 without a body',
    response: (response) => void response.writeHead(204).end(),
    outcome: 'SUBREQUEST_MALFORMED_RESPONSE',
  },
  {
    name: 'a body of 100 MB with a Content-Length',
    response: (response) => {
      response.setHeader('Content-Length', 100 * mebibyte);
      writeMebibytes(response, 100);
    },
    outcome: 'SUBREQUEST_MALFORMED_RESPONSE',
  },
  {
    name: 'a gzip body that is 100 MB once it is decoded',
    response: (response) => void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb),
    outcome: 'SUBREQUEST_MALFORMED_RESPONSE',
  },
  {
    name: 'a gzip body with its end cut off',
    response: (response, around) =>
      void response
        .writeHead(200, { 'Content-Encoding': 'gzip' })
        .end(gzipSync(around(sound)).subarray(0, -12)),
    outcome: 'SUBREQUEST_MALFORMED_RESPONSE',
  },
  {
    name: 'a br body with its end cut off',
    response: (response, around) =>
      void response
        .writeHead(200, { 'Content-Encoding': 'br' })
        .end(brotliCompressSync(around(sound)).subarray(0, -4)),
    outcome: 'SUBREQUEST_MALFORMED_RESPONSE',
  },
];

const textFaults: readonly Fault[] = [
  ['no body', ''],
  ['HTML', '<!doctype html><title>502 Bad Gateway</title>'],
  ['null', 'null'],
  ['a list', '[{"data":{"level":{}}}]'],
  ['a string', '"data"'],
  ['an empty object', '{}'],
  ['null for data, without an error', '{"data":null}'],
  ['data that is a number', '{"data":1}'],
  ['data that is a list', '{"data":[]}'],
  ['errors that are not a list', `{"data":{"level":null},"errors":{"message":"no"}}`],
  ['errors that are not objects', `{"data":{"level":null},"errors":["no"]}`],
  ['deep brackets', '['.repeat(100_000)],
  ['two answers in one body', '{"data":{"level":null}}{"data":{"level":null}}'],
  ['a byte-order mark', `\uFEFF${JSON.stringify({ data: { level: null } })}`],
].map(([name = '', text = '']) => ({
  name: `a body with ${name}`,
  response: (response) => void response.end(text),
  outcome: 'SUBREQUEST_MALFORMED_RESPONSE',
}));

/** Texts in place of a level that make the whole body invalid JSON; fast-path/splicing.test.ts has many more. */
const brokenLevels: readonly Fault[] = [
  ['a quote that is not escaped', '{"name":"a"b","code":"c1"}'],
  ['a line feed that is not escaped', '{"name":"a\nb","code":"c1"}'],
  ['a bracket that closes the answer', '{"code":"c1"}}}'],
].map(([name = '', text = '']) => ({
  name: `a level with ${name}`,
  response: (response, around) => void response.end(around(text)),
  outcome: 'SUBREQUEST_MALFORMED_RESPONSE',
}));

const nothingElse = {
  name: null,
  size: null,
  open: null,
  kind: null,
  ratio: null,
  tags: null,
  anything: null,
};
const nothingButCode = { ...nothingElse, code: 'c1' };

/** Levels that are JSON, and what the client gets for them. */
const levels: readonly [name: string, level: string, got: unknown, ...violations: string[]][] = [
  ['null', 'null', null],
  ['a level of nulls', '{"code":"c1","name":null}', nothingButCode],
  ['null where the schema allows none', '{"code":null}', null, 'code'],
  ['nothing where the schema allows no null', '{"name":"full"}', null, 'code'],
  ['null in a list that allows none', '{"code":"c1","tags":["a",null]}', nothingButCode, 'tags.1'],
  ['a level that is a string', '"full"', null, ''],
  ['a level that is a list', `[${sound}]`, null, ''],
  ['a level that is false', 'false', null, ''],
  ['an object for a String', '{"code":"c1","name":{"a":1}}', nothingButCode, 'name'],
  ['a number for a String', '{"code":7,"name":"full"}', null, 'code'],
  ['an Int that is too large', '{"code":"c1","size":2147483648}', nothingButCode, 'size'],
  ['an Int with a fraction', '{"code":"c1","size":1.5}', nothingButCode, 'size'],
  ['a string for an Int', '{"code":"c1","size":"3"}', nothingButCode, 'size'],
  ['a number that no double holds', '{"code":"c1","ratio":1e999}', nothingButCode, 'ratio'],
  ['a number for a Boolean', '{"code":"c1","open":1}', nothingButCode, 'open'],
  ['a value that the enum has not', '{"code":"c1","kind":"DAMP"}', nothingButCode, 'kind'],
  ['a name of every object for an enum value', '{"code":"c1","kind":"constructor"}', nothingButCode, 'kind'],
  ['a string for a list', '{"code":"c1","tags":"a"}', nothingButCode, 'tags'],
  ['a list in a list', '{"code":"c1","tags":[["a"]]}', nothingButCode, 'tags.0'],
  [
    'escaped control characters',
    String.raw`{"code":"c1","name":"\u0000\u001f\b\n\u2028<\/script>"}`,
    { ...nothingButCode, name: '\u0000\u001f\b\n\u2028</script>' },
  ],
  [
    'a lone surrogate',
    String.raw`{"code":"c1","name":"a\ud800","tags":["\udc00b"]}`,
    { ...nothingButCode, name: 'a\ud800', tags: ['\udc00b'] },
  ],
  [
    'text that would close the string, if it were not escaped',
    JSON.stringify({ code: 'c1', name: '","admin":true,"x":"', tags: ['\\', '"', '}]}'] }),
    { ...nothingButCode, name: '","admin":true,"x":"', tags: ['\\', '"', '}]}'] },
  ],
  [
    'a key __proto__',
    '{"code":"c1","__proto__":{"name":"of the prototype","size":9},"constructor":{"name":"no"}}',
    nothingButCode,
  ],
  [
    'values below __proto__ of a custom scalar',
    '{"code":"c1","anything":{"__proto__":{"a":1}}}',
    { ...nothingButCode, anything: JSON.parse('{"__proto__":{"a":1}}') as unknown },
  ],
  [
    'a key twice, of which the last counts',
    '{"code":"c0","name":"first","code":"c1","name":"last"}',
    { ...nothingButCode, name: 'last' },
  ],
  ['an escaped key', String.raw`{"c\u006fde":"c1","\u006eame":"full"}`, { ...nothingButCode, name: 'full' }],
  ['fields that were not requested', '{"code":"c1","secret":"s","errors":[{}],"data":{}}', nothingButCode],
  [
    'keys in another order, with spaces',
    ' { "tags" : [ ] , "size" : 3 ,\t"code"\r\n: "c1" } ',
    { ...nothingButCode, size: 3, tags: [] },
  ],
  [
    'numbers in other ways of writing',
    '{"code":"c1","size":3e0,"ratio":-0.0}',
    { ...nothingButCode, size: 3, ratio: 0 },
  ],
];

export const faults: readonly Fault[] = [
  ...transportFaults,
  ...textFaults,
  ...brokenLevels,
  ...levels.map(([name, text, level, ...violations]): Fault => ({
    name: `a level with ${name}`,
    response: (response, around) => void response.end(around(text)),
    outcome: { level, violations },
  })),
];

/** Answers to a request for two entities that do not have what was asked for, whatever each of them is. */
export const entityFaults: readonly Fault[] = [
  ['too few entities', `{"data":{"_entities":[{"level":${sound}}]}}`],
  ['too many entities', `{"data":{"_entities":[null,null,{"level":${sound}}]}}`],
  ['no entities at all', '{"data":{"_entities":[]}}'],
  ['null for the entities', '{"data":{"_entities":null}}'],
  ['nothing for the entities', '{"data":{}}'],
  ['an object for the entities', '{"data":{"_entities":{"0":null,"1":null,"length":2}}}'],
  ['an entity that is a string', '{"data":{"_entities":[null,"level"]}}'],
  ['an entity that is a list', '{"data":{"_entities":[null,[]]}}'],
].map(([name = '', text = '']) => ({
  name,
  response: (response) => void response.end(text),
  outcome: 'SUBREQUEST_MALFORMED_RESPONSE',
}));

/** Writes as much as the other side takes. */
export function writeMebibytes(response: ServerResponse, count: number): void {
  const chunk = Buffer.alloc(mebibyte, '0');
  let written = 0;
  const more = (): void => {
    written += 1;
    if (written > count) {
      response.end();
    } else if (!response.destroyed) {
      response.write(chunk, more);
    }
  };
  more();
}

function trickle(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 5);
  response.writeHead(200).on('close', () => clearInterval(timer));
}
