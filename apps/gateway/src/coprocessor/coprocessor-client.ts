import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { TLSSocket } from 'node:tls';

import type { StopSignal } from '@meridian/cancellation';
import type { CoprocessorRules } from '@meridian/router-config';
import { Pool, buildConnector, errors } from 'undici';

/** To one coprocessor. Further requests wait. */
const maxConnections = 256;

/** A response can hold the body of a subgraph's, which has a limit of its own. */
const maxResponseBytes = 256 * 1024 * 1024;

/** Sends requests to the coprocessors of one configuration, over connections that are kept. */
export function createCoprocessorClient(rules: Pick<CoprocessorRules, 'client' | 'timeout'>) {
  const { timeout } = rules;
  const targets = new Map<string, Target>();
  return {
    /**
     * The body of a response, whatever its status is.
     *
     * @throws {Error} without a response in time, with one that is too long, and the reason of the signal
     */
    async post(
      url: string,
      body: string,
      {
        headers,
        signal,
      }: { readonly headers: Readonly<Record<string, string>>; readonly signal: StopSignal },
    ): Promise<string> {
      const target = targets.get(url) ?? openTarget(url, rules);
      targets.set(url, target);
      const { pool, path } = target;
      const stopped = new AbortController();
      // undici hears of a signal only once it has a connection.
      const { promise: stopping, reject } = Promise.withResolvers<never>();
      const stopFor = (reason: unknown): void => {
        stopped.abort(reason);
        reject(reason);
      };
      const stop = (): void => stopFor(signal.reason);
      const timer = setTimeout(() => stopFor(new Error(`no response within ${timeout} ms`)), timeout);
      signal.addEventListener('abort', stop);
      if (signal.aborted) {
        stop();
      }
      const send = () =>
        pool.request({
          path,
          method: 'POST',
          headers: { ...headers, accept: 'application/json', 'content-type': 'application/json' },
          body,
          signal: stopped.signal,
        });
      const sendAgain = (error: unknown) => {
        if (isLostConnection(error)) {
          return send();
        }
        throw error;
      };
      // After a pause, several kept connections may be closed already.
      const responding = send()
        .catch(sendAgain)
        .catch(sendAgain)
        .then((response) => textOf(response.body));
      try {
        return await Promise.race([responding, stopping]);
      } catch (error) {
        throw stopped.signal.aborted ? stopped.signal.reason : error;
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
      }
    },
    async close(): Promise<void> {
      await Promise.all(Array.from(targets.values(), ({ pool }) => closeWithin(pool, timeout)));
    },
  };
}

export type CoprocessorClient = ReturnType<typeof createCoprocessorClient>;

interface Target {
  readonly pool: Pool;
  readonly path: string;
}

/** Cuts the requests that are not over by then: a connection may never come about. */
async function closeWithin(pool: Pool, timeoutMs: number): Promise<void> {
  const timer = setTimeout(() => void pool.destroy(), timeoutMs);
  try {
    await pool.close();
  } finally {
    clearTimeout(timer);
  }
}

function openTarget(url: string, { client, timeout }: Pick<CoprocessorRules, 'client' | 'timeout'>): Target {
  const { experimental_http2: http2, experimental_http2_keep_alive_interval: pingInterval } = client;
  const { protocol, origin, pathname, search, searchParams } = new URL(url);
  const isSocket = protocol === 'unix:';
  const isHttp2Required = http2 === 'http2only';
  const isHttp2Allowed = http2 !== 'disable';
  const connect = buildConnector({
    allowH2: isHttp2Allowed,
    timeout,
    ...(isSocket ? { socketPath: decodeURIComponent(pathname) } : { lookup: lookupBy(client) }),
  });
  const pool = new Pool(isSocket ? 'http://localhost' : origin, {
    connections: maxConnections,
    keepAliveTimeout: client.pool_idle_timeout,
    allowH2: isHttp2Allowed,
    ...(isHttp2Required && { pipelining: 100 }),
    h2Options: { pingInterval: pingInterval ?? 0 },
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: notingErrors(isHttp2Required ? overHttp2(connect) : connect),
  });
  return { pool, path: isSocket ? (searchParams.get('path') ?? '/') : pathname + search };
}

/** Refuses a server without HTTP/2; without TLS, takes it for granted (RFC 9113 §3.3). */
function overHttp2(connect: buildConnector.connector): buildConnector.connector {
  return (target, callback) =>
    connect(target, (...result) => {
      const [, socket] = result;
      if (socket instanceof TLSSocket && socket.alpnProtocol !== 'h2') {
        socket.destroy();
        callback(new Error('the coprocessor does not offer HTTP/2'), null);
        return;
      }
      if (socket !== null && !(socket instanceof TLSSocket)) {
        // undici reads the version of a connection from this property, which it has no other way to set here.
        Object.assign(socket, { alpnProtocol: 'h2' });
      }
      callback(...result);
    });
}

/** Node tries the addresses in this order, and the next one where one does not answer soon. */
const addresses = {
  ipv4_only: { family: 4 },
  ipv6_only: { family: 6 },
  ipv4_and_ipv6: { order: 'verbatim' },
  ipv6_then_ipv4: { order: 'ipv6first' },
  ipv4_then_ipv6: { order: 'ipv4first' },
} as const;

function lookupBy({ dns_resolution_strategy: strategy }: CoprocessorRules['client']): LookupFunction {
  return (hostname, options, callback) => lookup(hostname, { ...options, ...addresses[strategy] }, callback);
}

/** The errors of connections that had read something before: of kept ones. undici tells them from others only for its own. */
const ofKeptConnections = new WeakSet<Error>();

function notingErrors(connect: buildConnector.connector): buildConnector.connector {
  return (target, callback) =>
    connect(target, (...result) => {
      const [, socket] = result;
      socket?.on('error', (error) => {
        if (socket.bytesRead > 0) {
          ofKeptConnections.add(error);
        }
      });
      callback(...result);
    });
}

/** True where a kept connection was closed or reset. On a new one, the message itself may be the reason. */
function isLostConnection(error: unknown): boolean {
  return error instanceof errors.SocketError
    ? (error.socket?.bytesRead ?? 0) > 0
    : error instanceof Error && ofKeptConnections.has(error);
}

async function textOf(body: AsyncIterable<unknown>): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    if (!Buffer.isBuffer(chunk)) {
      continue;
    }
    bytes += chunk.length;
    if (bytes > maxResponseBytes) {
      throw new Error(`the response is over ${maxResponseBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes).toString();
}
