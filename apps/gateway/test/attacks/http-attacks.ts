// Long because it is data: messages that try to make the gateway work before it knows who sends them, each with no
// token.
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** A message as sent. */
export interface HttpAttack {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

const zeros = new Uint8Array(20_000_000);
const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const json = { 'Content-Type': 'application/json' };
const operation = JSON.stringify({ query: 'query A { time }' });

function get(name: string, path: string, headers: Readonly<Record<string, string>> = {}): HttpAttack {
  return {
    name,
    method: 'GET',
    path,
    headers: { 'apollo-require-preflight': 'yes', ...headers },
    body: undefined,
  };
}

function post(
  name: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): HttpAttack {
  return {
    name,
    method: 'POST',
    path: '/graphql',
    headers: { ...json, ...headers },
    body: typeof body === 'string' ? Buffer.from(body) : body,
  };
}

const members = (count: number): string =>
  JSON.stringify({
    variables: Object.fromEntries(Array.from({ length: count }, (_, index) => [`v${index}`, 1])),
  });
const withHeader = (what: string, name: string, value: string): HttpAttack =>
  post(`${what}, 60 kB`, operation, { [name]: value.slice(0, 60_000) });

/** Attacks by path and header fields, which need no token. */
const heads: readonly HttpAttack[] = [
  get('a path of 60 000 slashes', `/a${'/'.repeat(60_000)}b/`),
  get('a path of slashes and backslashes', `/a${'/\\'.repeat(30_000)}b/`),
  get('a path of 15 000 times eyJ-', `/${'eyJ-'.repeat(15_000)}`),
  get('a path of 20 000 escapes', `/${'%41'.repeat(20_000)}/`),
  get('a path with a bad escape at its end', `/${'a'.repeat(60_000)}%`),
  get('a query string of 30 000 parameters', `/graphql?${'a&'.repeat(30_000)}`),
  get('a query string of 20 000 escapes', `/graphql?query=${'%20'.repeat(20_000)}`),
  get(
    'variables that nest 30 000 times, by GET',
    `/graphql?query={time}&variables=${'['.repeat(30_000)}${']'.repeat(29_000)}`,
  ),
  withHeader('a token of eyJ-', 'Authorization', `Bearer ${'eyJ-'.repeat(20_000)}`),
  withHeader('a token of dots', 'Authorization', `Bearer ${'.'.repeat(60_000)}`),
  withHeader('a token of spaces', 'Authorization', `Bearer ${' '.repeat(60_000)}x`),
  withHeader('media types', 'Accept', 'a/b;q=0.1,'.repeat(10_000)),
  withHeader('one media type with many parameters', 'Accept', `a/b${';a=b'.repeat(20_000)}`),
  withHeader('content codings', 'Accept-Encoding', 'gzip;q=0.1,'.repeat(10_000)),
  withHeader('entity tags', 'If-None-Match', '"a",'.repeat(20_000)),
  withHeader('cookies', 'Cookie', 'a=b; '.repeat(20_000)),
  withHeader('spaces in a media type', 'Content-Type', `application/json${' '.repeat(59_000)};`),
  withHeader('a trace', 'traceparent', '00-'.repeat(20_000)),
  withHeader('a name of a client', 'apollographql-client-name', 'eyJ-'.repeat(15_000)),
  withHeader('an origin', 'Origin', `https://${'a.'.repeat(30_000)}`),
  withHeader('a host', 'Host', 'a.'.repeat(30_000)),
];

/** Attacks by body, without a required token. */
const bodies: readonly HttpAttack[] = [
  post('900 000 nested arrays', `${'['.repeat(900_000)}${']'.repeat(900_000)}`),
  post('1.9 MB of [', '['.repeat(1_900_000)),
  post('600 000 nested objects', '{"a":'.repeat(380_000)),
  post('130 000 members', members(130_000)),
  post('24 000 members, all different', members(23_000)),
  post('600 000 numbers', `{"variables":{"a":[${'1,'.repeat(600_000)}1]}}`),
  post('600 000 empty texts', `[${'"",'.repeat(600_000)}""]`),
  post('1.9 MB of spaces', ' '.repeat(1_900_000)),
  post('900 000 escaped quotes', JSON.stringify({ query: '"'.repeat(900_000) })),
  post('900 000 escaped backslashes', JSON.stringify({ query: '\\'.repeat(900_000) })),
  post('1.9 MB that is not UTF-8', new Uint8Array(1_900_000).fill(0xff)),
  post('gzip that becomes 20 MB', gzipSync(zeros), {
    'Content-Encoding': 'gzip',
  }),
  post('br that becomes 20 MB', brotliCompressSync(zeros, quickly), {
    'Content-Encoding': 'br',
  }),
  post('1.9 MB of gzip that is none', new Uint8Array(1_900_000), { 'Content-Encoding': 'gzip' }),
  post(
    '90 000 gzip members of nothing',
    Buffer.concat(Array.from<Buffer>({ length: 90_000 }).fill(gzipSync(''))),
    {
      'Content-Encoding': 'gzip',
    },
  ),
  post('1.9 MB of [ in br', brotliCompressSync('['.repeat(1_900_000), quickly), { 'Content-Encoding': 'br' }),
];

export const httpAttacks: readonly HttpAttack[] = [...heads, ...bodies];
