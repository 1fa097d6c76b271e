import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import { ExactNumber } from '@meridian/json';
import { isRecord } from '@meridian/settings/values';
import type { Logger } from '@meridian/telemetry';
import { GraphQLSchema, parse } from 'graphql';
import type { Context, Server } from 'graphql-ws';
import { CloseCode, handleProtocols, makeServer } from 'graphql-ws';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';

import { RequestError } from '../errors/request-error.ts';
import { OperationMessages } from './operation-messages.ts';
import type { SocketOperation } from './operation-messages.ts';
import type { ServedWebSockets, WebSocketOptions, WebSocketRules } from './web-sockets.ts';

/** A connection of the library. */
interface Connection {
  /** The header fields of each of its operations. */
  headers: IncomingHttpHeaders;
  readonly url: string;
  readonly peer: string | undefined;
  readonly send: (message: string) => Promise<void>;
}

/** No page or app has more operations under way on one connection. */
const maxOperations = 100;
/** The interval between pings. A client that does not respond until the next one is gone. */
const pingEveryMs = 12_000;
/** RFC 6455 §7.4.1, and its registry: "going away", "try again later". */
const goingAway = 1001;
const tryAgainLater = 1013;

/** The library wants a document, and looks for nothing but the type of its operation. */
const anySubscription = parse('subscription { a }', { noLocation: true });
const anySchema = new GraphQLSchema({});

/**
 * Serves operations over WebSockets, by the subprotocol `graphql-transport-ws`. Each operation passes the pipeline as a
 * request does. Its credentials are the `authorization` of `connection_init`, else the `Authorization` of the upgrade.
 *
 * Contract: section 9. https://github.com/enisdenjo/graphql-ws/blob/master/PROTOCOL.md
 */
export function serveWebSockets({
  rules,
  serve,
  checkCredentials,
  logger,
  initTimeoutMs = 10_000,
}: WebSocketOptions): ServedWebSockets {
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    perMessageDeflate: false,
    handleProtocols,
    maxPayload: rules().maxMessageBytes,
  });
  const library = makeServer<Record<string, unknown>, Connection>({
    schema: anySchema,
    connectionInitWaitTimeout: initTimeoutMs,
    jsonMessageReviver: readValue,
    async onConnect({ extra, connectionParams }) {
      const current = rules();
      extra.headers = { ...extra.headers, ...credentialsIn(connectionParams, current.credentialFields) };
      return await isAdmitted(extra, checkCredentials ?? current.checkCredentials);
    },
    onSubscribe: ({ extra, subscriptions }, id, payload) => ({
      schema: anySchema,
      document: anySubscription,
      contextValue: {
        id,
        head: extra,
        body: Buffer.from(JSON.stringify(payload)),
        send: extra.send,
        suppressComplete: () => void delete subscriptions[id],
      } satisfies SocketOperation,
    }),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `onSubscribe` made it
    subscribe: ({ contextValue }) => new OperationMessages(contextValue as SocketOperation, serve),
  });
  return {
    upgrade: (request, socket, head) =>
      sockets.handleUpgrade(request, socket, head, (webSocket) =>
        openConnection(webSocket, request, { library, logger }),
      ),
    close() {
      for (const webSocket of sockets.clients) {
        webSocket.close(goingAway, 'Going away');
      }
    },
  };
}

const rejectedCredentials = new Set<RequestError['code']>(['UNAUTHENTICATED', 'BAD_REQUEST', 'NOT_FOUND']);

/** The library closes the connection with 4403 for `false`. */
async function isAdmitted(
  sender: Connection,
  checkCredentials: WebSocketRules['checkCredentials'],
): Promise<boolean> {
  try {
    await checkCredentials(sender);
    return true;
  } catch (error) {
    if (error instanceof RequestError && rejectedCredentials.has(error.code)) {
      return false;
    }
    throw error;
  }
}

function openConnection(
  webSocket: WebSocket,
  request: IncomingMessage,
  { library, logger }: { readonly library: Server<Connection>; readonly logger: Logger },
): void {
  // A message that is too long, or not UTF-8: the library `ws` closes the connection.
  webSocket.on('error', () => {});
  const send = (message: string): Promise<void> =>
    new Promise((resolve) => {
      if (webSocket.readyState === webSocket.OPEN) {
        // The connection ends after a message that cannot be sent.
        webSocket.send(message, () => resolve());
      } else {
        resolve();
      }
    });
  let isAlive = true;
  webSocket.on('pong', () => (isAlive = true));
  const pings = setInterval(() => {
    if (isAlive) {
      isAlive = false;
      webSocket.ping();
    } else {
      webSocket.terminate();
    }
  }, pingEveryMs).unref();
  let underWay = 0;
  const closed = library.opened(
    {
      protocol: webSocket.protocol,
      send,
      close: (code, reason) => webSocket.close(code, reason),
      onMessage(take) {
        webSocket.on('message', (data: Buffer) => {
          if (underWay >= maxOperations) {
            webSocket.close(CloseCode.BadRequest, `More than ${maxOperations} operations are under way`);
            return;
          }
          underWay += 1;
          take(data.toString())
            .catch((error: unknown) => {
              const isOutage = error instanceof RequestError && error.code === 'SERVICE_UNAVAILABLE';
              if (!isOutage) {
                logger.error({ err: error }, 'a message of a WebSocket could not be handled');
              }
              webSocket.close(isOutage ? tryAgainLater : CloseCode.InternalServerError, 'Try again later');
            })
            .finally(() => (underWay -= 1));
        });
      },
    },
    {
      headers: headersOf(request),
      url: request.url ?? '',
      peer: request.socket.remoteAddress,
      send,
    },
  );
  webSocket.once('close', (code, reason) => {
    clearInterval(pings);
    void closed(code, String(reason));
  });
}

/** Fields about the connection, and those that choose the form of a response. */
const ownFields =
  /^(?:connection|upgrade|sec-websocket-.+|content-.+|transfer-encoding|accept|accept-encoding|if-none-match|expect|te|trailer|last-event-id)$/u;

/** The header fields of each operation: the upgrade's, without those that a POST would not have. */
function headersOf({ headers }: IncomingMessage): IncomingHttpHeaders {
  return {
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => !ownFields.test(name))),
    'content-type': 'application/json',
    accept: 'application/graphql-response+json, text/event-stream',
  };
}

/** A cookie is not taken from there: only what a browser sends by itself is one. */
function credentialsIn(
  params: Context['connectionParams'],
  fields: WebSocketRules['credentialFields'],
): IncomingHttpHeaders {
  const given = Object.entries(params ?? {})
    .map(([name, value]): [string, string] => [name.toLowerCase(), typeof value === 'string' ? value : ''])
    .filter(([name, value]) => name !== 'cookie' && value !== '' && fields.includes(name));
  return Object.fromEntries(given);
}

/**
 * Keeps the digits of numbers that a double cannot hold. The library wants a `query` in each payload: one that only names
 * a persisted operation gets an empty one, which is not part of the request.
 */
function readValue(
  this: unknown,
  key: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  if (
    key === 'payload' &&
    isRecord(this) &&
    this['type'] === 'subscribe' &&
    isRecord(value) &&
    (value['query'] ?? undefined) === undefined &&
    namesPersisted(value)
  ) {
    return Object.defineProperty(value, 'query', { value: '', enumerable: false });
  }
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && String(value) !== source
    ? new ExactNumber(source)
    : value;
}

function namesPersisted({ documentId, extensions }: Readonly<Record<string, unknown>>): boolean {
  return typeof documentId === 'string' || (isRecord(extensions) && isRecord(extensions['persistedQuery']));
}
