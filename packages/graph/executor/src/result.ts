/** The result of a run. */
export interface ExecutionResult {
  /** The data as JSON text; `null` if an error propagated to the root. */
  readonly data: string;
  readonly errors: readonly ExecutionError[];
  /** The `Cache-Control` fields that subgraphs sent. */
  readonly cacheControl: readonly string[];
  /** The parts that follow. Absent: the data is the whole result. */
  readonly deferred?: DeferredParts;
}

/** The rest of a result whose operation defers fragments. */
export interface DeferredParts {
  /** The fragments that the data announces. */
  readonly pending: readonly DeferredFragment[];
  /** Ends after the last fragment; rejects with the signal's reason. A consumer that stops cancels what is under way. */
  readonly batches: AsyncIterable<DeferredBatch>;
}

/** One deferred fragment of one object. Each is one JavaScript object, wherever it is named. */
export interface DeferredFragment {
  /** As the client wrote it. */
  readonly label: string | undefined;
  /** Of the object. */
  readonly path: ResponsePath;
}

/** Fragments that completed together. */
export interface DeferredBatch {
  readonly completed: readonly CompletedFragment[];
  /** The fragments that these announce. */
  readonly pending: readonly DeferredFragment[];
}

export interface CompletedFragment {
  readonly fragment: DeferredFragment;
  /** The deferred fields of the object as JSON text; `null` if an error propagated beyond them. */
  readonly data: string;
  /** Their paths begin at the root of the response. */
  readonly errors: readonly ExecutionError[];
}

/** The events of a subscription, in order. It can be iterated once; leaving the loop ends the stream of the subgraph. */
export type SubscriptionStream = AsyncIterable<SubscriptionEvent>;

export interface SubscriptionEvent {
  /** Undefined where nothing has happened: only the position of the stream is known. */
  readonly result: ExecutionResult | undefined;
  /** The position of the event in the log of the subgraph: `extensions.cursor` of its response. */
  readonly position?: string;
}

/** In the client's names. */
export type ResponsePath = readonly (string | number)[];

/** An error before masking: it must not reach a client unchanged. */
export type ExecutionError = { readonly path?: ResponsePath } & (
  | SubrequestError
  | ReportedError
  | OmittedErrors
  | { readonly kind: 'internal'; readonly cause: unknown }
);

/** A failed subrequest. */
export interface SubrequestError {
  readonly kind: 'subrequest';
  readonly code: SubrequestCode;
  /** Absent if several subgraphs together caused it. */
  readonly subgraph?: string;
  /** The underlying error, for the log. */
  readonly cause: unknown;
}

/**
 * `GATEWAY_TIMEOUT`: it took too long. `SUBREQUEST_HTTP_ERROR`: the subgraph could not be reached, or responded with a
 * status other than 2xx. `SUBREQUEST_MALFORMED_RESPONSE`: its response is not the requested result. Not sent, by Apollo
 * Router's names: `REQUEST_CIRCUIT_BREAKER_OPEN`, as the subgraph has failed too often; `REQUEST_RATE_LIMITED`, as it has
 * got too many; `SUBGRAPH_COST_ESTIMATED_TOO_EXPENSIVE`, as the operation costs too much there.
 */
export type SubrequestCode =
  | 'GATEWAY_TIMEOUT'
  | 'SUBREQUEST_HTTP_ERROR'
  | 'SUBREQUEST_MALFORMED_RESPONSE'
  | 'REQUEST_CIRCUIT_BREAKER_OPEN'
  | 'REQUEST_RATE_LIMITED'
  | 'SUBGRAPH_COST_ESTIMATED_TOO_EXPENSIVE'
  | SubscriptionCode;

/**
 * The reasons, by Apollo Router's names, for which a stream of a subgraph cannot be opened, or has ended.
 * `WEBSOCKET_CONNECTION_ERROR`: no WebSocket. `WEBSOCKET_INIT_ERROR`: the first message could not be sent.
 * `WEBSOCKET_ACK_ERROR`: something else than an acknowledgement came; `WEBSOCKET_ACK_ERROR_TIMEOUT`: none came within
 * five seconds. `WEBSOCKET_MESSAGE_ERROR`: a message is not one of the protocol. `WEBSOCKET_CLOSE_ERROR`: the
 * subgraph closed the WebSocket. `SUBSCRIPTION_HEARTBEAT_ERROR`: a subgraph that calls back was not heard of in time.
 */
export type SubscriptionCode =
  | 'WEBSOCKET_CONNECTION_ERROR'
  | 'WEBSOCKET_INIT_ERROR'
  | 'WEBSOCKET_ACK_ERROR'
  | 'WEBSOCKET_ACK_ERROR_TIMEOUT'
  | 'WEBSOCKET_MESSAGE_ERROR'
  | 'WEBSOCKET_CLOSE_ERROR'
  | 'SUBSCRIPTION_HEARTBEAT_ERROR';

/** An error that a subgraph reported in its response. */
export interface ReportedError {
  readonly kind: 'reported';
  readonly subgraph: string;
  readonly message: string;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** Summarises the errors beyond a limit, at their common path. */
export interface OmittedErrors {
  readonly kind: 'omitted';
  /** Absent for several subgraphs. */
  readonly subgraph?: string;
}
