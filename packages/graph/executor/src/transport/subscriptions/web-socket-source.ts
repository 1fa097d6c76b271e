import { connect } from 'node:net';

import { WebSocket } from 'ws';
import type { RawData } from 'ws';

import type { SubscriptionCode } from '../../result.ts';
import { SubscriptionFailure } from '../../subscription-failure.ts';
import { SubgraphFailure } from '../subgraph-failure.ts';
import type { EventSource, StreamFailure, StreamRequest, StreamSink } from './event-source.ts';
import { StreamLost, bodyOf, closableSink, positionEvent, subrequestFailure } from './event-source.ts';
import type { Peer } from '../subgraph-client.ts';
import type { JsonRange } from '../../json/json-members.ts';
import { jsonMembers, stringAt, wholeOf } from '../../json/json-members.ts';
import { readEvent, rejectionOf } from './read-event.ts';

export interface WebSocketSourceOptions extends Peer {
  readonly subgraph: string;
  /** `ws` or `wss`. */
  readonly url: string;
  /** `graphql_ws`: the subprotocol `graphql-transport-ws`. `graphql_transport_ws`: the older one, `graphql-ws`. */
  readonly protocol: keyof typeof dialects;
  /** The time between pings; undefined for none. A WebSocket that is silent for two of them is lost. */
  readonly heartbeatIntervalMs: number | undefined;
  /** Of one message. */
  readonly maxMessageBytes: number;
  /** For connecting, and then for the acknowledgement. Default: five seconds. */
  readonly ackTimeoutMs?: number;
}

/** The words of a subprotocol. */
interface Dialect {
  readonly subprotocol: string;
  readonly subscribe: string;
  /** The client's word for the end of a subscription. */
  readonly stop: string;
  readonly next: string;
  /** A message to keep the connection open; undefined where a client has none, and pings the WebSocket instead. */
  readonly ping: string | undefined;
}

/**
 * By Apollo Router's names, which are not the subprotocols'.
 *
 * graphql-ws: PROTOCOL.md; subscriptions-transport-ws: PROTOCOL.md.
 */
const dialects = {
  graphql_ws: {
    subprotocol: 'graphql-transport-ws',
    subscribe: 'subscribe',
    stop: 'complete',
    next: 'next',
    ping: '{"type":"ping"}',
  },
  graphql_transport_ws: {
    subprotocol: 'graphql-ws',
    subscribe: 'start',
    stop: 'stop',
    next: 'data',
    ping: undefined,
  },
} as const satisfies Record<string, Dialect>;

/** One subscription on each WebSocket: a WebSocket has the credentials of one caller. */
const id = '1';

/** A WebSocket that was closed with these codes was refused by the GraphQL server. */
const refusingCodes = { from: 4400, to: 4499 };

/**
 * Creates a source over WebSockets, as Apollo Router's passthrough mode: the fields of the header go into the upgrade
 * request, and Authorization also into the payload of `connection_init`.
 *
 * Not the client of `graphql-ws`: events are passed on as they are written, with all digits of their numbers.
 */
export function createWebSocketSource(options: WebSocketSourceOptions): EventSource {
  return {
    open(request, sink) {
      const stream = new WebSocketStream(options, request, sink);
      return () => stream.close();
    },
  };
}

class WebSocketStream {
  readonly #options: WebSocketSourceOptions;
  readonly #dialect: Dialect;
  readonly #request: StreamRequest;
  readonly #sink: ReturnType<typeof closableSink>;
  readonly #socket: WebSocket;
  #isAcknowledged = false;
  #timer: NodeJS.Timeout | undefined;
  #isSilent = false;

  constructor(options: WebSocketSourceOptions, request: StreamRequest, sink: StreamSink) {
    const { url, socketPath, tls, protocol, maxMessageBytes, ackTimeoutMs = 5000 } = options;
    this.#options = options;
    this.#dialect = dialects[protocol];
    this.#request = request;
    this.#sink = closableSink(sink);
    const clientOptions = {
      headers: upgradeFields(request.headers),
      handshakeTimeout: ackTimeoutMs,
      // The types do not know it yet. A subgraph that hangs must not keep a WebSocket that was left.
      closeTimeout: 1000,
      maxPayload: maxMessageBytes,
      perMessageDeflate: false,
      followRedirects: false,
      ...(socketPath !== undefined && { createConnection: () => connect(socketPath) }),
      ...(tls !== undefined && { secureContext: tls.current }),
    };
    this.#socket = new WebSocket(url, this.#dialect.subprotocol, clientOptions);
    this.#socket.on('open', () => this.#onOpen(ackTimeoutMs));
    this.#socket.on('message', (data, isBinary) => this.#onMessage(data, isBinary));
    this.#socket.on('ping', () => void (this.#isSilent = false));
    this.#socket.on('pong', () => void (this.#isSilent = false));
    this.#socket.on('error', (error) => this.#onError(error));
    this.#socket.on('close', (code, reason) => this.#onClose(code, reason.toString()));
  }

  /** Ends the stream for its consumer, who has left. */
  close(): void {
    if (this.#sink.close()) {
      if (this.#isAcknowledged) {
        this.#send(`{"id":"${id}","type":"${this.#dialect.stop}"}`);
      }
      this.#disconnect();
    }
  }

  #onOpen(ackTimeoutMs: number): void {
    const { authorization } = this.#request.headers;
    this.#send(
      JSON.stringify({
        type: 'connection_init',
        ...(authorization !== undefined && { payload: { connectionParams: { token: authorization } } }),
      }),
    );
    this.#timer = setTimeout(() => {
      const message = `no acknowledgement within ${ackTimeoutMs} ms`;
      this.#end(new StreamLost('WEBSOCKET_ACK_ERROR_TIMEOUT', message));
    }, ackTimeoutMs);
  }

  #onMessage(data: RawData, isBinary: boolean): void {
    this.#isSilent = false;
    const text = Buffer.isBuffer(data) ? data : undefined;
    const members = text && !isBinary ? jsonMembers(text, wholeOf(text)) : undefined;
    const type = text && stringAt(text, members?.get('type'));
    if (text === undefined || members === undefined || type === undefined) {
      this.#refuse('WEBSOCKET_MESSAGE_ERROR', 'a message is not JSON, or has no type');
      return;
    }
    const payload = members.get('payload');
    switch (type) {
      case 'connection_ack':
        this.#onAcknowledgement();
        return;
      case 'ping':
        this.#send(
          payload === undefined
            ? '{"type":"pong"}'
            : `{"type":"pong","payload":${text.toString('utf8', payload.start, payload.end)}}`,
        );
        this.#onPosition(text, payload);
        return;
      case 'pong':
      case 'ka':
        return;
      default:
    }
    if (!this.#isAcknowledged) {
      this.#refuse('WEBSOCKET_ACK_ERROR', `a message ${type} came before the acknowledgement`);
    } else if (stringAt(text, members.get('id')) !== id) {
      this.#refuse('WEBSOCKET_MESSAGE_ERROR', `a message ${type} is for another subscription`);
    } else if (type === this.#dialect.next && payload !== undefined) {
      this.#onResponse(text, payload);
    } else if (type === 'complete') {
      this.#end();
    } else if (type === 'error' && payload !== undefined) {
      this.#end(rejectionOf(this.#options.subgraph, text.toString('utf8', payload.start, payload.end)));
    } else {
      this.#refuse('WEBSOCKET_MESSAGE_ERROR', `a message ${type} is not one of the protocol`);
    }
  }

  #onResponse(text: Buffer, payload: JsonRange): void {
    const event = readEvent(this.#options.subgraph, text, payload);
    if (event instanceof SubscriptionFailure) {
      this.#end(event);
    } else {
      this.#sink.onEvent(event);
    }
  }

  /** A ping of our subgraphs has the position at which the stream begins. */
  #onPosition(text: Buffer, payload: JsonRange | undefined): void {
    const members = payload && jsonMembers(text, payload);
    const cursor = stringAt(text, members?.get('cursor'));
    if (cursor !== undefined && this.#isAcknowledged && stringAt(text, members?.get('id')) === id) {
      this.#sink.onEvent(positionEvent(cursor));
    }
  }

  #onAcknowledgement(): void {
    if (this.#isAcknowledged) {
      this.#refuse('WEBSOCKET_MESSAGE_ERROR', 'a second acknowledgement came');
      return;
    }
    this.#isAcknowledged = true;
    clearTimeout(this.#timer);
    this.#startHeartbeat();
    this.#send(`{"id":"${id}","type":"${this.#dialect.subscribe}","payload":${bodyOf(this.#request)}}`);
    this.#sink.onOpen();
  }

  #startHeartbeat(): void {
    const { heartbeatIntervalMs } = this.#options;
    if (heartbeatIntervalMs === undefined) {
      return;
    }
    this.#timer = setInterval(() => {
      if (this.#isSilent) {
        this.#lose('the subgraph did not answer a ping');
        return;
      }
      this.#isSilent = true;
      if (this.#dialect.ping === undefined) {
        this.#socket.ping();
      } else {
        this.#send(this.#dialect.ping);
      }
    }, heartbeatIntervalMs);
  }

  #onError(error: Error): void {
    if ('code' in error && String(error.code).startsWith('WS_ERR_')) {
      this.#refuse('WEBSOCKET_MESSAGE_ERROR', 'a message cannot be read', error);
    } else {
      this.#lose('the WebSocket failed', error);
    }
  }

  #onClose(code: number, reason: string): void {
    const message = `the subgraph closed the WebSocket: ${code} ${reason}`;
    if (code >= refusingCodes.from && code <= refusingCodes.to) {
      this.#refuse('WEBSOCKET_CLOSE_ERROR', message);
    } else {
      this.#lose(message);
    }
  }

  #lose(message: string, cause?: unknown): void {
    const code = this.#isAcknowledged ? 'WEBSOCKET_CLOSE_ERROR' : 'WEBSOCKET_CONNECTION_ERROR';
    this.#end(new StreamLost(code, message, { cause }));
  }

  #refuse(code: SubscriptionCode, message: string, cause?: unknown): void {
    const failure = new SubgraphFailure(code, message, { cause });
    this.#end(subrequestFailure(this.#options.subgraph, failure));
  }

  #end(failure?: StreamFailure): void {
    this.#sink.onEnd(failure);
    this.#disconnect();
  }

  #send(message: string): void {
    if (this.#socket.readyState === WebSocket.OPEN) {
      this.#socket.send(message);
    }
  }

  #disconnect(): void {
    clearTimeout(this.#timer);
    if (this.#socket.readyState === WebSocket.CONNECTING) {
      this.#socket.terminate();
      return;
    }
    this.#socket.close(1000);
  }
}

/** `ws` writes the fields of the upgrade itself. */
function upgradeFields(headers: StreamRequest['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name !== 'host' && !name.startsWith('sec-websocket-')),
  );
}
