/** The values that code keeps for one request, from stage to stage. Each operation of a batch begins with a copy. */
export type StageContext = Map<string, unknown>;

/**
 * The header fields of a message. Names are compared without regard to case. What is read of a client's request becomes
 * part of `Vary` where its response may be cached.
 */
export interface StageHeaders extends Iterable<readonly [name: string, value: string]> {
  get(name: string): string | undefined;
  has(name: string): boolean;
  /**
   * Several values become one, separated by commas, but for `set-cookie`.
   *
   * @throws {StageRuleError} for a field that frames the message, and for one that this stage may not change; also for
   * a value that cannot be sent
   */
  set(name: string, value: string | readonly string[]): void;
  /** @throws {StageRuleError} as `set` does */
  delete(name: string): void;
}

/** The caller of a request, whose token is verified. */
export interface StageCaller {
  readonly tenantId: string;
  readonly subject: string;
  readonly issuer: string;
  readonly scopes: ReadonlySet<string>;
  /** All claims of the token, by name. */
  readonly claims?: ReadonlyMap<string, unknown>;
}

/** An error as clients get it. */
export interface StageError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** Ends a request at a stage: of the later ones, only `routerResponse` runs. */
export interface EarlyResponse {
  /** Default: 200 with `data` or a text, else 400. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** The body as it is sent, in place of `data`, `errors` and `extensions`. */
  readonly body?: string;
  readonly data?: unknown;
  readonly errors?: readonly StageError[];
  readonly extensions?: Readonly<Record<string, unknown>>;
}

/** The members that every message has. */
export interface StageMessage {
  /** The `Request-Id` of the response. */
  readonly id: string;
  readonly context: StageContext;
  /** Aborts where the request is to end before its response: its client hangs up, or its deadline or a hook's passes. */
  readonly signal: AbortSignal;
  /** Adds members to the request's log line. A later value of a name replaces the earlier one. */
  readonly note: (members: Readonly<Record<string, unknown>>) => void;
}

/**
 * The request of a client, before anything of it is trusted: its token is verified, and its body read, after this stage.
 * The message itself is checked before: path, method, media types, cross-site requests.
 */
export interface RouterRequest extends StageMessage {
  readonly method: string;
  /** The request target. Its query may be replaced, with which a GET has its operation; its path may not. */
  url: string;
  /** The address of the other side of the connection. */
  readonly peer: string | undefined;
  /** A credential that is set here is verified like a client's. */
  readonly headers: StageHeaders;
  /** The body as text, decompressed; empty for a GET. Rejects with a request error where it does not arrive. */
  readonly readBody: () => Promise<string>;
  /** Replaces the body of a POST. */
  readonly setBody: (text: string) => void;
  /** The caller by the credentials as they are now; undefined for an anonymous one. Rejects for bad ones. */
  readonly identify: () => Promise<StageCaller | undefined>;
}

/** The response to a client, also one to a rejected request. */
export interface RouterResponse extends StageMessage {
  status: number;
  readonly headers: StageHeaders;
  /** Without content coding. Undefined, and not to be set, for a response in parts or without a body. */
  body: string | undefined;
}

/** The operation of a request, before it is looked up, checked and admitted: what is changed passes all checks. */
export interface SupergraphRequest extends StageMessage {
  readonly caller: StageCaller | undefined;
  /** As header rules see them. Credentials cannot be changed any more. */
  readonly headers: StageHeaders;
  /** The text, also of an operation that the client named by an identifier. */
  query: string;
  operationName: string | undefined;
  variables: Readonly<Record<string, unknown>>;
  extensions: Readonly<Record<string, unknown>>;
}

/** An admitted operation. What was checked is fixed: only header fields for subgraphs can change. */
export interface ExecutionRequest extends StageMessage {
  readonly caller: StageCaller | undefined;
  readonly headers: StageHeaders;
  readonly type: 'query' | 'mutation' | 'subscription';
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * The result of an operation, one of its deferred fragments, or an event of a subscription. Errors are masked. Data is
 * this response's own copy, and numbers that a double cannot hold are `ExactNumber`.
 */
export interface ResultMessage extends StageMessage {
  readonly caller: StageCaller | undefined;
  readonly type: 'query' | 'mutation' | 'subscription';
  readonly operationName: string | undefined;
  /** For the client's response. Fixed once its head is out: in later parts and events. */
  readonly headers: StageHeaders;
  /** Where the data is in the response. Empty but for a deferred fragment. */
  readonly path: readonly (string | number)[];
  /** True while the head of the response is not out. */
  readonly isFirst: boolean;
  /** Of the response. Fixed once its head is out. */
  status: number;
  /** True where parts follow. */
  readonly hasNext: boolean;
  /** Reading it parses it, once. Assign, or change it in place. */
  data: unknown;
  errors: readonly StageError[];
  /** For the whole response: ignored in parts. */
  extensions: Readonly<Record<string, unknown>> | undefined;
}

/** A request to a subgraph. It is deduplicated, signed and counted as it is after this stage. */
export interface SubgraphRequestMessage extends StageMessage {
  /** An identifier that a request and its response have in common. */
  readonly requestId: string;
  readonly subgraph: string;
  readonly type: 'query' | 'mutation' | 'subscription';
  readonly caller: StageCaller | undefined;
  readonly headers: StageHeaders;
  /** A GraphQL request as JSON. */
  body: string;
}

/** A usable response of a subgraph, before its data is checked and its errors are masked. */
export interface SubgraphResponseMessage extends StageMessage {
  readonly requestId: string;
  /** The request, as it was sent. */
  readonly sent: { readonly headers: Readonly<Record<string, string>>; readonly body: string };
  readonly subgraph: string;
  readonly type: 'query' | 'mutation';
  readonly caller: StageCaller | undefined;
  /** The HTTP status. */
  readonly status: number | undefined;
  readonly cacheControl: string | undefined;
  /** The header fields of the response, names in lower case; none where it is the response to an equal request. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** A GraphQL response as JSON. */
  body: string;
}

/** A request to a subgraph that got a response with an error status. Its fields of the result become null. */
export interface SubgraphFailureMessage extends StageMessage {
  readonly requestId: string;
  readonly sent: SubgraphResponseMessage['sent'];
  readonly subgraph: string;
  readonly type: 'query' | 'mutation';
  readonly status: number;
  readonly fields: SubgraphResponseMessage['fields'];
}

type Step<Message, Ends> = (message: Message) => Ends | undefined | void | Promise<Ends | undefined | void>;

/** Code at the stages of a request. What it throws is a fault of the gateway, and ends the request. */
export interface StageHandlers {
  /** For the log. */
  readonly name: string;
  readonly routerRequest?: Step<RouterRequest, EarlyResponse>;
  readonly routerResponse?: Step<RouterResponse, undefined>;
  readonly supergraphRequest?: Step<SupergraphRequest, EarlyResponse>;
  readonly supergraphResponse?: Step<ResultMessage, undefined>;
  readonly executionRequest?: Step<ExecutionRequest, EarlyResponse>;
  readonly executionResponse?: Step<ResultMessage, undefined>;
  /** An early response is the subgraph's: its errors are masked like a subgraph's. */
  readonly subgraphRequest?: Step<SubgraphRequestMessage, EarlyResponse>;
  readonly subgraphResponse?: Step<SubgraphResponseMessage, undefined>;
  /** In place of `subgraphResponse`. */
  readonly subgraphFailure?: Step<SubgraphFailureMessage, undefined>;
}
