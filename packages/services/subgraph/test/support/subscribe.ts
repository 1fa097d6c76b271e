// The unmodified client of graphql-ws.
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

/** A result of a subscription. */
export interface Result {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code: string } }[];
  readonly extensions?: { readonly cursor?: string };
}

/** A stream as its subscriber sees it. */
export interface Stream {
  readonly results: Result[];
  /** `complete`, or what the client reports as an error. */
  readonly ended: Promise<unknown>;
  leave(): void;
}

export interface SubscribeRequest {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly extensions?: Record<string, unknown>;
}

export type Subscribe = (url: string, token: string, request: SubscribeRequest) => Stream;

export function streamOf(
  subscribe: (sink: {
    next: (result: unknown) => void;
    error: (error: unknown) => void;
    complete: () => void;
  }) => () => void,
): Stream {
  const results: Result[] = [];
  const { promise: ended, resolve } = Promise.withResolvers<unknown>();
  const leave = subscribe({
    next: (result) => results.push(result as Result),
    error: resolve,
    complete: () => resolve('complete'),
  });
  return { results, ended, leave };
}

/** The codes of a list of errors. */
export const codesIn = (errors: unknown): unknown =>
  (errors as Result['errors'])?.map(({ extensions }) => extensions?.code);

export const subscribeByWebSocket: Subscribe = (url, token, request) =>
  streamOf((sink) => {
    const client = createClient({
      url: `${url.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { Authorization: `Bearer ${token}` },
      retryAttempts: 0,
    });
    return client.subscribe({ ...request }, sink);
  });
