import type { Random } from '@meridian/testing';

/** The name, what is between it and the value, the value, and the end of the line. */
export type GeneratedField = [name: string, separator: string, value: string, end: string];

/** A request in parts, which mutations change one by one. Each character is a byte. */
export interface GeneratedRequest {
  method: string;
  target: string;
  version: string;
  fields: GeneratedField[];
  /** The end of the request line, and of the head. */
  lineEnd: string;
  headEnd: string;
  body: string;
}

export function writeRequest(request: GeneratedRequest): string {
  return `${writeHead(request)}${request.body}`;
}

export function writeHead(request: GeneratedRequest): string {
  const { method, target, version, fields, lineEnd, headEnd } = request;
  return `${method} ${target} ${version}${lineEnd}${fields.map((parts) => parts.join('')).join('')}${headEnd}`;
}

/** A request as a client sends it, which the fast path is for. */
export function generatePlainRequest(random: Random): GeneratedRequest {
  const method = random.pick(['GET', 'POST', 'POST']);
  const fields = random
    .pick(clients)(random)
    .map(([name, value]) => fieldOf(name, value));
  const body = method === 'POST' ? random.pick(bodies)(random) : '';
  if (method === 'POST') {
    fields.splice(random.below(fields.length + 1), 0, fieldOf('Content-Length', String(body.length)));
  }
  return {
    method,
    target: random.pick(targets),
    version: 'HTTP/1.1',
    fields,
    lineEnd: '\r\n',
    headEnd: '\r\n',
    body,
  };
}

export function fieldOf(name: string, value: string): GeneratedField {
  return [name, ': ', value, '\r\n'];
}

/** `/status/n` is answered with that status, `/large` with a long body, `/close` with the last response, `/parts…` with a body in parts. */
const targets = [
  '/',
  '/graphql',
  '/graphql?query=%7Bme%7Bid%7D%7D&variables={"a":[1]}',
  '/status/204',
  '/status/304',
  '/status/500',
  '/large',
  '/close',
  '/parts',
  '/parts/large',
  '/parts/close',
  '/parts/204',
  '/parts/failing',
  "/!$&'()*+,;=:@-._~/%00/\\^`|{}<>",
  '//other.example/path',
  '/a/../b/./c',
  '/?',
];

const bodies: readonly ((random: Random) => string)[] = [
  () => '{"query":"{ me { id } }"}',
  () => '',
  () => '0\r\n\r\n',
  () => 'GET /smuggled HTTP/1.1\r\nHost: b\r\n\r\n',
  () => '\r\n\r\n',
  (random) => randomBytes(random, random.below(300)),
  (random) => randomBytes(random, random.pick([5000, 16_384, 65_000])),
];

function randomBytes(random: Random, length: number): string {
  return String.fromCharCode(...Array.from({ length }, () => random.below(256)));
}

/** The header fields of common clients. */
const clients: readonly ((random: Random) => [name: string, value: string][])[] = [
  () => [['Host', 'a']],
  () => [
    ['Host', '127.0.0.1:4000'],
    ['User-Agent', 'curl/8.14.1'],
    ['Accept', '*/*'],
    ['Content-Type', 'application/json'],
  ],
  // fetch of Node
  () => [
    ['host', 'localhost:4000'],
    ['connection', 'keep-alive'],
    ['content-type', 'application/json'],
    ['accept', '*/*'],
    ['accept-language', '*'],
    ['sec-fetch-mode', 'cors'],
    ['user-agent', 'node'],
    ['accept-encoding', 'gzip, deflate'],
  ],
  () => [
    ['Host', 'api.example'],
    ['Connection', 'keep-alive'],
    ['sec-ch-ua', '"Chromium";v="142", "Not_A Brand";v="99"'],
    ['User-Agent', 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0'],
    ['Accept', 'application/graphql-response+json, application/json;q=0.9'],
    ['Origin', 'https://shop.example'],
    ['Accept-Encoding', 'gzip, deflate, br, zstd'],
    ['Cookie', 'a=1; b="2"; c='],
  ],
  () => [
    ['Host', 'api.example:443'],
    ['User-Agent', 'Go-http-client/1.1'],
    ['Accept-Encoding', 'gzip'],
  ],
  () => [
    ['Host', '[::1]:8080'],
    ['User-Agent', 'python-requests/2.32.5'],
    ['Accept-Encoding', 'gzip, deflate'],
    ['Accept', '*/*'],
    ['Connection', 'keep-alive'],
  ],
  // A client in this company, through a proxy
  (random) => [
    ['host', 'api.example'],
    ['authorization', `Bearer ${'x'.repeat(random.pick([20, 800, 3000]))}`],
    ['apollographql-client-name', 'storefront'],
    ['apollographql-client-version', '1.0'],
    ['x-forwarded-for', '10.0.0.1, 10.0.0.2'],
    ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'],
    ['if-none-match', 'W/"a"'],
  ],
];
