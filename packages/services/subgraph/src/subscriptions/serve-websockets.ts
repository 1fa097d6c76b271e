import type { IncomingMessage } from 'node:http';

import { callerFromAuthorization } from '@meridian/auth';
import type { TokenVerifier } from '@meridian/auth';
import type { StopSignal } from '@meridian/cancellation';
import { targetOf } from '@meridian/http';
import type { UpgradeListener } from '@meridian/http';
import { Problem, problem } from '@meridian/problem-details';
import { startTrace } from '@meridian/telemetry';
import type { Logger } from '@meridian/telemetry';
import { GraphQLError } from 'graphql';
import { parse } from 'graphql';
import type { ExecutionArgs, ExecutionResult, FormattedExecutionResult, GraphQLSchema } from 'graphql';
import { CloseCode, handleProtocols, makeServer } from 'graphql-ws';
import { WebSocketServer } from 'ws';
import type { RawData, WebSocket } from 'ws';

import type { Requester } from '../context.ts';
import type { Rejection, Subscriptions } from './open-subscription.ts';
import { ResultStream } from './result-stream.ts';

export interface WebSocketsOptions {
  readonly path: string;
  readonly schema: GraphQLSchema;
  readonly subscriptions: Subscriptions;
  readonly verifier: TokenVerifier;
  readonly logger: Logger;
  readonly stopping: StopSignal | undefined;
}

/** The time that a client has for `connection_init`. Contract: Streams. */
const initTimeoutMs = 10_000;
/** The time between pings. A client that does not answer until the next one is gone. */
const pingEveryMs = 12_000;
/** The longest message: a subscription with its variables. */
const maxMessageBytes = 1024 * 1024;

/** RFC 6455 §7.4.1, and the registry of close codes. */
const goingAway = 1001;
const tryAgainLater = 1013;

/** The library wants a document to know that the operation is a subscription. */
const emptySubscription = parse('subscription { opened }');

interface Extra {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  /** After `connection_init`. */
  requester?: Requester;
}

/**
 * Serves subscriptions over WebSockets, by `graphql-ws`. The token of a connection comes with the upgrade, or in the
 * payload of `connection_init`; without a valid one, the connection is closed with 4403. The cursor at which a stream
 * begins comes as the payload of a ping: `{ id, cursor }`, with the identifier of the subscription.
 * graphql-ws: PROTOCOL.md. Contract: Streams.
 */
export function serveWebSockets(options: WebSocketsOptions): UpgradeListener {
  const { path, subscriptions, logger, stopping } = options;
  const streams = new WeakMap<object, ResultStream>();
  const graphql = makeServer<Record<string, unknown>, Extra>({
    connectionInitWaitTimeout: initTimeoutMs,
    async onConnect({ connectionParams, extra }) {
      return await identify(options, extra, connectionParams);
    },
    async onSubscribe({ extra }, id, payload) {
      const opened = await subscriptions.open(payload, requesterOf(extra));
      if (!(opened instanceof ResultStream)) {
        return [new RejectedSubscription(opened)];
      }
      const execution: ExecutionArgs = { schema: options.schema, document: emptySubscription };
      streams.set(execution, opened);
      if (opened.cursor !== undefined) {
        extra.socket.send(JSON.stringify({ type: 'ping', payload: { id, cursor: opened.cursor } }));
      }
      return execution;
    },
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library only passes the results on to onNext
    subscribe: (execution) => streams.get(execution) as unknown as AsyncGenerator<ExecutionResult>,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a ResultStream has no others
    onNext: (_context, _id, _payload, _execution, result) => result as FormattedExecutionResult,
    onError: ({ extra }, _id, _payload, [error]) =>
      error instanceof RejectedSubscription
        ? error.rejection
        : subscriptions.failureOf(error?.originalError ?? error, requesterOf(extra)),
  });

  const server = new WebSocketServer({
    noServer: true,
    handleProtocols,
    maxPayload: maxMessageBytes,
    perMessageDeflate: false,
  });
  server.on('connection', (socket, request: IncomingMessage) => serveSocket(socket, request));
  stopping?.addEventListener('abort', () => {
    for (const socket of server.clients) {
      socket.close(goingAway, 'Going away');
    }
  });

  function serveSocket(socket: WebSocket, request: IncomingMessage): void {
    let isAlive = true;
    socket.on('pong', () => (isAlive = true));
    const pings = setInterval(() => {
      if (!isAlive) {
        socket.terminate();
        return;
      }
      isAlive = false;
      socket.ping();
    }, pingEveryMs);
    const closed = graphql.opened(
      {
        protocol: socket.protocol,
        send: (text) =>
          new Promise((resolve) => {
            // A message that does not get through is of a connection that closes.
            socket.send(text, () => resolve());
          }),
        close: (code, reason) => socket.close(code, reason),
        onMessage(handle) {
          socket.on('message', (data) => {
            handle(textOf(data)).catch((error: unknown) => {
              logger.error({ err: error }, 'a message of a WebSocket failed');
              socket.close(CloseCode.InternalServerError, 'Internal server error');
            });
          });
        },
      },
      { socket, request },
    );
    // A client that breaks the rules of WebSockets: `ws` closes the connection.
    socket.on('error', () => {});
    socket.once('close', (code, reason) => {
      clearInterval(pings);
      void closed(code, reason.toString());
    });
    if (stopping?.aborted === true) {
      socket.close(goingAway, 'Going away');
    }
  }

  return (request, socket, head) => {
    if (targetOf(request).path !== path) {
      throw problem('route-not-found', 'No resource has a path of this shape.');
    }
    server.handleUpgrade(request, socket, head, (accepted) => server.emit('connection', accepted, request));
  };
}

/** Verifies the token of a connection; false refuses it. */
async function identify(
  { verifier, logger }: WebSocketsOptions,
  extra: Extra,
  parameters: Record<string, unknown> | undefined,
): Promise<boolean> {
  const authorization = authorizationOf(extra.request, parameters);
  try {
    const caller = await callerFromAuthorization(authorization, verifier);
    const trace = startTrace(String(extra.request.headers['traceparent'] ?? ''));
    const log = logger.child({ traceId: trace.traceId });
    extra.requester = { caller, authorization: authorization ?? '', trace, log };
    return true;
  } catch (error) {
    if (error instanceof Problem && error.status < 500) {
      return false;
    }
    logger.warn({ err: error }, 'the token of a WebSocket could not be verified');
    extra.socket.close(tryAgainLater, 'Try again later');
    // The library acknowledges; nothing is sent on a connection that closes.
    return true;
  }
}

/** `Authorization` of the upgrade, else of the payload: as a field, in `headers`, or as Apollo Router sends it. */
function authorizationOf(
  { headers }: IncomingMessage,
  parameters: Record<string, unknown> = {},
): string | undefined {
  const { headers: fields, connectionParams, ...payload } = parameters;
  const token = textIn(connectionParams, 'token');
  return (
    headers.authorization ??
    textIn(payload, 'authorization') ??
    textIn(fields, 'authorization') ??
    (token === undefined || /^bearer /iu.test(token) ? token : `Bearer ${token}`)
  );
}

/** A message as text: `ws` gives one buffer, unless it is configured otherwise. */
function textOf(data: RawData): string {
  return Buffer.isBuffer(data) ? data.toString() : '';
}

/** A member that is a text; the name's letters may be small or capital. */
function textIn(members: unknown, name: string): string | undefined {
  const entry = Object.entries({ ...Object(members) }).find(([key]) => key.toLowerCase() === name);
  return typeof entry?.[1] === 'string' ? entry[1] : undefined;
}

function requesterOf({ requester }: Extra): Requester {
  if (requester === undefined) {
    throw new Error('a subscription came before connection_init');
  }
  return requester;
}

class RejectedSubscription extends GraphQLError {
  override readonly name = 'RejectedSubscription';
  readonly rejection: Rejection;

  constructor(rejection: Rejection) {
    super('The subscription was rejected');
    this.rejection = rejection;
  }
}
