import { setTimeout as delay } from 'node:timers/promises';

import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

import { addReview } from './actions/change-product.ts';
import type { Shelf } from './product-pool.ts';
import { persistedRequest } from './send-operation.ts';
import type { Session } from './session.ts';

/** The clients of one subscription that stayed, over all restarts and reloads. */
export interface StreamTotals {
  /** That each client had to get. */
  readonly events: number;
  /** The streams that were opened again, of all clients. */
  readonly reconnects: number;
  /** The differences between what clients got and what happened. */
  readonly faults: readonly string[];
}

/** An event, or the end of a stream, as a client gets it. */
interface Result {
  readonly data?: { readonly reviewAdded?: { readonly id: string } | null } | null;
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
  readonly extensions?: { readonly cursor?: string };
}

/** Follows a stream over one connection. It resolves, or rejects, at the end of the connection. */
type Connect = (subscriber: Subscriber, session: Session, signal: AbortSignal) => Promise<void>;

const operation = 'WatchReviews';
const reconnectMs = 100;
/** Between two reviews. */
const pauseMs = 500;
/** The time for the last events to arrive. */
const lastEventsMs = 20_000;

/**
 * Follows the reviews of one product by each protocol until the load is over, while further ones are written. A client
 * whose stream ends comes back with its last position.
 */
export async function followReviews(session: Session, shelf: Shelf): Promise<StreamTotals> {
  const known = shelf.reviews.length;
  const over = new AbortController();
  /** The last review may have been added: its outcome is unknown at the end of the load. */
  let mayHaveMore = false;
  const subscribers = Object.entries(protocols).map(
    ([protocol, connect]) => new Subscriber(protocol, shelf.product.id, connect),
  );
  const following = subscribers.map((subscriber) => subscriber.stay(session, over.signal));
  await Promise.all(subscribers.map(({ opened }) => opened));
  while (!session.load.signal.aborted) {
    const before = shelf.reviews.length;
    await addReview(session, shelf);
    mayHaveMore = shelf.reviews.length === before;
    await delay(pauseMs);
  }
  const expected = shelf.reviews
    .slice(0, shelf.reviews.length - known)
    .map(({ id }) => id)
    .toReversed();
  const deadlineMs = performance.now() + lastEventsMs;
  while (subscribers.some(({ ids }) => ids.length < expected.length) && performance.now() < deadlineMs) {
    await delay(reconnectMs);
  }
  over.abort();
  await Promise.all(following);
  return {
    events: expected.length,
    reconnects: subscribers.reduce((sum, { connections }) => sum + connections - 1, 0),
    faults: subscribers.flatMap((subscriber) => subscriber.faultsAgainst(expected, mayHaveMore)),
  };
}

class Subscriber {
  readonly #protocol: string;
  readonly #connect: Connect;
  readonly #isOpen = Promise.withResolvers<void>();
  readonly #unexpected: string[] = [];
  readonly variables: { readonly productId: string };
  /** Of the reviews, in the order in which they came. */
  readonly ids: string[] = [];
  /** The position to go on from. */
  cursor: string | undefined;
  connections = 0;

  constructor(protocol: string, productId: string, connect: Connect) {
    this.#protocol = protocol;
    this.#connect = connect;
    this.variables = { productId };
  }

  /** Resolves once its first stream is open. */
  get opened(): Promise<void> {
    return this.#isOpen.promise;
  }

  onOpen(): void {
    this.#isOpen.resolve();
  }

  onResult({ data, errors = [], extensions }: Result): void {
    const id = data?.reviewAdded?.id;
    if (id !== undefined) {
      this.ids.push(id);
    }
    this.cursor = extensions?.cursor ?? this.cursor;
    for (const error of errors) {
      const code = error.extensions?.code ?? 'no code';
      if (!expectedEnds.has(code)) {
        this.#unexpected.push(`${this.#protocol}: ${code}`);
      }
    }
  }

  /** Opens the stream again and again, as a client does. */
  async stay(session: Session, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.connections += 1;
      await this.#connect(this, session, signal).catch(() => undefined);
      await delay(reconnectMs, undefined, { signal }).catch(() => undefined);
    }
  }

  faultsAgainst(expected: readonly string[], mayHaveMore: boolean): readonly string[] {
    const first = expected.findIndex((id, index) => id !== this.ids[index]);
    const faults = [...this.#unexpected];
    if (first !== -1) {
      faults.push(`${this.#protocol}: event ${first + 1} of ${expected.length} was lost, or came elsewhere`);
    } else if (this.ids.length > expected.length + (mayHaveMore ? 1 : 0)) {
      faults.push(`${this.#protocol}: ${this.ids.length} events instead of ${expected.length}`);
    }
    return faults;
  }
}

/** The ends of streams that the events of the run cause: reloads, and a subgraph that is away. */
const expectedEnds = new Set([
  'SUBSCRIPTION_CONFIG_RELOAD',
  'SUBSCRIPTION_SCHEMA_RELOAD',
  'SUBREQUEST_HTTP_ERROR',
  'WEBSOCKET_CONNECTION_ERROR',
  'WEBSOCKET_CLOSE_ERROR',
  'WEBSOCKET_ACK_ERROR_TIMEOUT',
  'GATEWAY_TIMEOUT',
]);

const protocols: Readonly<Record<string, Connect>> = {
  'server-sent events': async (subscriber, session, signal) => {
    const last = subscriber.cursor;
    const headers = { Accept: 'text/event-stream', ...(last !== undefined && { 'Last-Event-ID': last }) };
    for await (const block of textsOf(await open(subscriber, session, { headers, signal }), '\n\n')) {
      const { id, data } = Object.fromEntries(
        block
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      subscriber.cursor = id ?? subscriber.cursor;
      if (data !== undefined && data !== '') {
        subscriber.onResult(resultOf(data));
      }
    }
  },
  multipart: async (subscriber, session, signal) => {
    const headers = { Accept: 'multipart/mixed;subscriptionSpec=1.0' };
    for await (const part of textsOf(await open(subscriber, session, { headers, signal }), '--graphql')) {
      const json = part.slice(part.indexOf('{'), part.lastIndexOf('}') + 1);
      if (json !== '' && json !== '{}') {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what does not fit is found missing
        const { payload, errors } = JSON.parse(json) as {
          payload?: Result | null;
          errors?: Result['errors'];
        };
        subscriber.onResult({ ...payload, ...(errors !== undefined && { errors }) });
      }
    }
  },
  'a WebSocket': async (subscriber, session, signal) => {
    const client = createClient({
      url: session.load.targets.gateway.href.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${session.token}` },
      retryAttempts: 0,
      on: {
        ping(isReceived, payload) {
          if (isReceived && typeof payload?.['cursor'] === 'string') {
            subscriber.cursor = payload['cursor'];
            subscriber.onOpen();
          }
        },
      },
    });
    signal.addEventListener('abort', () => void client.dispose(), { once: true });
    try {
      const results = client.iterate({ query: '', ...membersOf(subscriber, session) });
      for await (const result of results) {
        subscriber.onResult(resultOf(JSON.stringify(result)));
      }
    } catch (error) {
      if (Array.isArray(error)) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library rejects with the errors of the server
        subscriber.onResult({ errors: error as NonNullable<Result['errors']> });
      }
    } finally {
      await client.dispose();
    }
  },
};

function membersOf({ variables, cursor }: Subscriber, { load }: Session) {
  return {
    operationName: operation,
    variables: { ...variables },
    extensions: {
      persistedQuery: { version: 1, sha256Hash: load.identifierOf(operation) },
      ...(cursor !== undefined && { resumeAfter: cursor }),
    },
  };
}

async function open(
  subscriber: Subscriber,
  session: Session,
  { headers, signal }: { readonly headers: Record<string, string>; readonly signal: AbortSignal },
): Promise<ReadableStream<string>> {
  const { variables } = subscriber;
  const { url, ...request } = persistedRequest(session, {
    operation,
    method: 'POST',
    variables,
    token: session.token,
  });
  const isResumedByHeader = 'Last-Event-ID' in headers;
  const response = await fetch(url, {
    method: request.method,
    headers: { ...request.headers, ...headers },
    body: isResumedByHeader ? (request.body ?? '') : JSON.stringify(membersOf(subscriber, session)),
    signal,
  });
  if (response.status !== 200 || response.body === null) {
    throw new Error(`status ${response.status}: ${await response.text()}`);
  }
  subscriber.onOpen();
  return response.body.pipeThrough(new TextDecoderStream());
}

/** The texts between delimiters, as they come. */
async function* textsOf(chunks: ReadableStream<string>, delimiter: string): AsyncGenerator<string> {
  let text = '';
  for await (const chunk of chunks) {
    text += chunk;
    const parts = text.split(delimiter);
    text = parts.pop() ?? '';
    yield* parts;
  }
}

function resultOf(json: string): Result {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what does not fit is found missing
  return JSON.parse(json) as Result;
}
