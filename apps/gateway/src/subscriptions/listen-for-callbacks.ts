import cluster from 'node:cluster';
import { randomBytes } from 'node:crypto';

import { StopController } from '@meridian/cancellation';
import type { SubgraphCallback } from '@meridian/executor/subscriptions';
import { readCallback } from '@meridian/executor/subscriptions';
import type { Exchange, HttpServer, RenderProblem, ServeExchange, WholeResponse } from '@meridian/http';
import { createHttpServer, listen, targetOf } from '@meridian/http';
import { Problem, problem } from '@meridian/problem-details';
import type { Logger } from '@meridian/telemetry';
import { createMetrics } from '@meridian/telemetry';

import type { CallbackListening } from '../config/subscriptions-config.ts';
import type { CallbackStreams } from './callback-streams.ts';
import { createCallbackStreams } from './callback-streams.ts';

export interface CallbackListener extends Pick<CallbackStreams, 'expect'> {
  /** Takes a call that has come to the address of clients; false for another request, or where that has no calls. */
  readonly take: (exchange: Exchange) => boolean;
  readonly close: () => void;
}

export interface CallbackListenerOptions {
  readonly callbacks: CallbackListening;
  /** Of one call. */
  readonly maxBytes: number;
  readonly renderProblem: RenderProblem;
  readonly logger: Logger;
}

/** Shorter than the time that our subgraphs give a call, so that they hear why it failed. */
const passOnTimeoutMs = 3000;

/** Of a call that another replica has passed on: it goes no further than to a worker. */
const passedOnField = 'meridian-passed-on';

/**
 * Listens for calls of subgraphs. Workers share the port. The one that gets a call passes it on to the one that holds the
 * stream: to the URL of another replica, and in the same replica to the worker's own port on loopback.
 *
 * @throws {ListenError}
 */
export async function listenForCallbacks(options: CallbackListenerOptions): Promise<CallbackListener> {
  const { callbacks, renderProblem, logger } = options;
  let streams: CallbackStreams | undefined;
  // Not the gateway's own: a listener has metrics with the same names.
  const metrics = createMetrics({ service: 'gateway' });
  const serving = (mayPassOn: boolean): ServeExchange =>
    serveCallbacks(() => streams, { ...options, mayPassOn });
  const open = (mayPassOn: boolean): HttpServer =>
    createHttpServer({
      serve: serving(mayPassOn),
      renderProblem,
      logger,
      metrics,
    });
  const own = cluster.isWorker ? open(false) : undefined;
  const ownAddress = own && (await listen(own.server, { host: '127.0.0.1', port: 0, isShared: false }));
  const secret = callbacks.secret ?? randomBytes(32).toString('hex');
  streams = createCallbackStreams({ secret, ownPort: ownAddress?.port, replicaUrl: callbacks.replicaUrl });
  const shared = callbacks.isAtClients ? undefined : open(true);
  if (shared !== undefined) {
    const address = await listen(shared.server, callbacks.listen);
    logger.info({ address, path: callbacks.path }, 'callbacks of subgraphs are served');
  }
  const serve = serving(true);
  return {
    expect: streams.expect,
    take(exchange) {
      const isCall = callbacks.isAtClients && targetOf(exchange).path.startsWith(`${callbacks.path}/`);
      if (isCall) {
        void serve(exchange);
      }
      return isCall;
    },
    close() {
      for (const opened of [shared, own]) {
        opened?.server.close();
        opened?.connections.closeAll();
      }
    },
  };
}

interface Serving extends CallbackListenerOptions {
  /** False at a worker's own port. */
  readonly mayPassOn: boolean;
}

function serveCallbacks(streams: () => CallbackStreams | undefined, serving: Serving): ServeExchange {
  return async (exchange) => {
    try {
      exchange.send(await respond(exchange, streams(), serving), []);
    } catch (error) {
      if (!(error instanceof Problem)) {
        serving.logger.error({ err: error }, 'a callback of a subgraph failed');
      }
      exchange.send(
        serving.renderProblem(error instanceof Problem ? error : problem('internal', 'The gateway failed.')),
        [],
      );
    }
  };
}

/**
 * The response to a call, by Apollo's HTTP callback protocol 1.0.
 *
 * @throws {Problem} for a call that is none, and one without a stream
 */
async function respond(
  exchange: Exchange,
  streams: CallbackStreams | undefined,
  { callbacks, maxBytes, mayPassOn }: Serving,
): Promise<WholeResponse> {
  const { path } = targetOf(exchange);
  const idInPath = path.startsWith(`${callbacks.path}/`) ? path.slice(callbacks.path.length + 1) : undefined;
  if (idInPath === undefined || streams === undefined) {
    throw problem('route-not-found', 'Only callbacks of subscriptions are here.');
  }
  if (exchange.method !== 'POST') {
    throw problem('method-not-allowed', 'A callback is a POST.', { headers: { Allow: 'POST' } });
  }
  const body = await exchange.readBody({ maxBytes, signal: new StopController() });
  const callback = readCallback(body);
  if (callback === undefined || callback.id !== idInPath) {
    throw problem('malformed-body', 'The body is not a callback, or one with another identifier.');
  }
  const holder = streams.holderOf(callback);
  if (holder === undefined) {
    throw problem('invalid-token', 'The verifier does not fit the identifier.');
  }
  if (holder === 'this') {
    return streams.deliver(callback) ? accepted[callback.action] : unknownStream();
  }
  if (!mayPassOn) {
    return unknownStream();
  }
  if ('port' in holder) {
    return await passOn(`http://127.0.0.1:${holder.port}${path}`, body, {});
  }
  // A replica_url that leads elsewhere must not send a call round and round.
  return exchange.headers[passedOnField] === undefined
    ? await passOn(`${holder.replicaUrl}/${callback.id}`, body, { [passedOnField]: 'true' })
    : unknownStream();
}

const accepted: Readonly<Record<SubgraphCallback['action'], WholeResponse>> = {
  check: { status: 204, headers: { 'subscription-protocol': 'callback/1.0' } },
  next: { status: 200, headers: {}, body: '' },
  complete: { status: 202, headers: {}, body: '' },
};

/**
 * A process that refuses connections has ended, and lost its streams. A subgraph takes 404 as final, and calls again after
 * any other failure: the stream may go on.
 *
 * @throws {Problem}
 */
async function passOn(
  url: string,
  body: Buffer,
  fields: Readonly<Record<string, string>>,
): Promise<WholeResponse> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...fields },
      body: Buffer.from(body),
      redirect: 'error',
      signal: AbortSignal.timeout(passOnTimeoutMs),
    });
    const { status, headers } = response;
    const text = await response.text();
    const protocol = headers.get('subscription-protocol');
    return {
      status,
      headers: { ...(protocol !== null && { 'subscription-protocol': protocol }) },
      ...(status !== 204 && { body: text }),
    };
  } catch (error) {
    return isRefused(error) ? unknownStream() : notNow();
  }
}

function isRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED';
}

function notNow(): never {
  throw problem('unavailable', 'The process that holds the stream did not respond.');
}

function unknownStream(): never {
  throw problem('route-not-found', 'There is no stream with this identifier.');
}
