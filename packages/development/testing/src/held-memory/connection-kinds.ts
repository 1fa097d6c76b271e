/** A client that keeps its connection. */
export interface ConnectionKind {
  readonly name: string;
  /** HTTP/2 is only over TLS. Default: HTTP/1.1. */
  readonly protocol?: 'h2';
  /** The most bytes that it may hold. Default: by its state. */
  readonly maxBytes?: number;
  /** `body`: a part of a body that the server reads, so that it holds the bytes. */
  readonly state: 'idle' | 'half-sent' | 'body' | 'unread' | 'closed';
  /** It sends one after another, and waits for the responses of each. */
  readonly steps: readonly Step[];
}

/** The size of a response that no client reads. More than the buffers of both sides of a connection take. */
export const unreadBytes = 8_000_000;

/** The most that a server may hold of one connection on the heap and in buffers, with what Node's own server holds. */
export function maxHeldBytes(
  { state, maxBytes }: ConnectionKind,
  { nodeBytes, isSecure }: { readonly nodeBytes: number; readonly isSecure: boolean },
): number {
  if (maxBytes !== undefined || state === 'unread') {
    return maxBytes ?? maxUnreadBytes;
  }
  // Idle: nothing of the requests. A process takes some memory once, which counts for the measured connections.
  return state === 'idle' ? nodeBytes + (isSecure ? 15_000 : 6000) : maxUnfinishedBytes[state];
}

/** A response that is on its way, and what waits after it. */
const maxUnreadBytes = unreadBytes + 600_000;
const maxUnfinishedBytes = { 'half-sent': 100_000, body: 100_000, closed: 5000 };

/** A client that does not read its responses to such a request. */
export function unreadKind(name: string, request: string): ConnectionKind {
  return atOnce('unread', name, request);
}

/** Sends its bytes, and waits for so many responses. */
export function atOnce(
  state: ConnectionKind['state'],
  name: string,
  bytes: string,
  responses = 0,
): ConnectionKind {
  return { name, state, steps: [{ bytes, responses }] };
}

/** Idle after requests, one after another. */
function idleAfter(name: string, ...requests: readonly string[]): ConnectionKind {
  return { name, state: 'idle', steps: requests.map((bytes) => ({ bytes, responses: 1 })) };
}

interface Step {
  /** A character for each byte. */
  readonly bytes: string;
  /** The number of responses that it waits for. */
  readonly responses: number;
}

/** Fields that cost most for their bytes. */
function manyFields(bytes: number): string {
  const lines: string[] = [];
  for (let length = 0; length < bytes;) {
    const line = `a${lines.length}: x\r\n`;
    length += line.length;
    lines.push(line);
  }
  return lines.join('');
}

/** A field that differs from each other one. */
function longField(bytes: number, fill = 'x'): string {
  return `a: ${fill.repeat(bytes)}\r\n`;
}

function get(fields = '', start = 'GET /nope HTTP/1.1'): string {
  return `${start}\r\nHost: x\r\n${fields}\r\n`;
}

function post(length: number, body: string): string {
  return `POST /nope HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

/** A path of the gateway, and of the servers of tests, at which the body of a request without a token is read. */
export const readPath = '/graphql';

/** Nearly the 64 KiB that all header fields may take. */
const fullHead = 64_000;
/** Nearly the largest head that the fast path takes. */
const largePlainHead = 15_800;
const fills = ['w', 'x', 'y', 'z'];
const hundredFields = Array.from({ length: 98 }, (_, index) => `b${index}: ${'x'.repeat(640)}\r\n`).join('');

const ninetyFields = (fill: string): string =>
  Array.from({ length: 90 }, (_, index) => `c${index}: ${fill.repeat(34)}\r\n`).join('');
const byteAsChunk = '1\r\nx\r\n';

/** The ways to keep a connection that cost a server most. None needs a token. */
export const connectionKinds: readonly ConnectionKind[] = [
  idleAfter('never used'),
  idleAfter('after a small request', get()),
  idleAfter('after a head of 6 500 fields', get(manyFields(fullHead))),
  idleAfter('after a head of 100 fields, 64 kB', get(hundredFields)),
  idleAfter('after a head with a field of 64 kB', get(longField(fullHead))),
  idleAfter(
    'after four heads of 1 400 fields',
    ...fills.map((fill) => get(longField(4, fill) + manyFields(largePlainHead))),
  ),
  idleAfter('after four heads of 90 fields, 3.9 kB', ...fills.map((fill) => get(ninetyFields(fill)))),
  idleAfter(
    'after four heads with a field of 15.8 kB',
    ...fills.map((fill) => get(longField(largePlainHead, fill))),
  ),
  idleAfter(
    'after four heads of node:http with a field of 15.8 kB',
    ...fills.map((fill) => get(`TE: x\r\n${longField(largePlainHead, fill)}`)),
  ),
  idleAfter(
    'after a body of 20 000 chunks of one byte',
    `POST /nope HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${byteAsChunk.repeat(20_000)}0\r\n\r\n`,
  ),
  idleAfter('after a body of 60 kB', post(60_000, 'x'.repeat(60_000))),
  idleAfter(
    'after a request to upgrade, 64 kB',
    get(`Connection: Upgrade\r\nUpgrade: websocket\r\n${longField(fullHead)}`),
  ),
  idleAfter('after an expectation, 64 kB', get(`Expect: something\r\n${longField(fullHead)}`)),
  atOnce('idle', 'after 30 pipelined requests', get().repeat(30), 30),
  atOnce('idle', 'after 30 pipelined requests of 15.8 kB', get(longField(largePlainHead)).repeat(30), 30),
  atOnce('half-sent', 'a head of 6 500 fields without its end', get(manyFields(fullHead)).slice(0, -2)),
  atOnce('half-sent', 'a head with a field of 64 kB without its end', get(longField(fullHead)).slice(0, -2)),
  atOnce(
    'half-sent',
    'a plain head of 1 400 fields without its end',
    get(manyFields(largePlainHead)).slice(0, -2),
  ),
  atOnce('half-sent', 'a body of 60 kB without its end', post(61_000, 'x'.repeat(60_000))),
  atOnce(
    'body',
    'a body of 15 000 chunks of one byte without its end',
    `POST ${readPath} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${byteAsChunk.repeat(15_000)}`,
  ),
  atOnce(
    'half-sent',
    'a request without its end after 30 pipelined ones',
    get().repeat(30) + get(longField(fullHead)).slice(0, -2),
    30,
  ),
  atOnce('closed', 'a tunnel, 64 kB', get(longField(fullHead), 'CONNECT x:1 HTTP/1.1'), 1),
];
