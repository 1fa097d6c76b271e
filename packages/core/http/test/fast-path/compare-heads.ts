import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import type { PlainHead } from '../../src/fast-path/plain-head.ts';
import { readPlainHead } from '../../src/fast-path/plain-head.ts';
import { PlainHeadReader } from '../../src/fast-path/plain-head-reader.ts';
import { generateOddRequest } from './odd-requests.ts';
import { generatePlainRequest, writeRequest } from './plain-requests.ts';
import { createRandom } from '@meridian/testing';

export interface HeadComparisonReport {
  readonly heads: number;
  readonly plain: number;
  /** Each begins with the seed of its request. */
  readonly differences: readonly string[];
}

/** A request as a parser reads it. */
interface ReadRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: Readonly<IncomingHttpHeaders>;
  readonly body: string;
  readonly version: string;
  /** True when the request leaves its connection open. */
  readonly isKept: boolean;
}

/** Reads generated requests with `readPlainHead`, and those that it takes with Node's parser too. */
export async function compareHeads(options: {
  readonly seed: string;
  readonly heads: number;
}): Promise<HeadComparisonReport> {
  const reader = new PlainHeadReader();
  const readWithNode = createNodeReader();
  const differences: string[] = [];
  let plain = 0;
  for (let index = 0; index < options.heads && differences.length < 20; index += 1) {
    const name = `${options.seed} head ${index}`;
    const random = createRandom(name);
    const request = random.chance(0.3) ? generatePlainRequest(random) : generateOddRequest(random);
    const bytes = Buffer.from(writeRequest(request), 'latin1');
    const head = readPlainHead(bytes);
    if (!isDeepStrictEqual(head, reader.read(bytes))) {
      differences.push(`${name}: the reader with a memory reads another head`);
    }
    if (head !== undefined) {
      plain += 1;
      const read = await readWithNode(bytes);
      if (!isDeepStrictEqual({ ...read, headers: { ...read?.headers } }, requestOf(head, bytes))) {
        differences.push(`${name}: ${JSON.stringify({ head, read })}`);
      }
    }
  }
  return { heads: options.heads, plain, differences };
}

function requestOf({ method, url, headers, headBytes, bodyBytes }: PlainHead, bytes: Buffer): ReadRequest {
  const body = bytes.toString('latin1', headBytes, headBytes + bodyBytes);
  return { method, url, headers: { ...headers }, body, version: '1.1', isKept: true };
}

/** Reads the first request of some bytes; undefined if Node rejects it. A body that is cut off ends early. */
type ReadRequestOf = (bytes: Buffer) => Promise<ReadRequest | undefined>;

/** Node's parser, without a network: an HTTP server takes any stream as a connection. */
function createNodeReader(): ReadRequestOf {
  let read: ReadRequest | undefined;
  const server = createServer({ requireHostHeader: false, maxHeaderSize: 65_537 }, (request, response) => {
    const { method, url, headers, httpVersion: version } = request;
    const current = { method, url, headers, body: '', version, isKept: response.shouldKeepAlive };
    read ??= current;
    request.on('data', (chunk: Buffer) => (current.body += chunk.toString('latin1')));
  });
  server.maxHeadersCount = 0;
  server.on('clientError', () => {});
  return async (bytes) => {
    read = undefined;
    const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
    server.emit('connection', socket);
    socket.push(bytes);
    await nextTurn();
    socket.destroy();
    return read;
  };
}
