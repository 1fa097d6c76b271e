import type { GraphQLFormattedError } from 'graphql';

interface RefusalKind {
  /** The HTTP status. For a refusal of GraphQL's own it is the one for `application/graphql-response+json`. */
  readonly status: number;
  /** Whether it happened before GraphQL: it keeps its status then, and answers `application/json` whatever `Accept` says. */
  readonly isBeforeGraphql?: true;
  /** Whether its message may quote values of the request: the client gets it, and nobody else. */
  readonly quotesRequest?: true;
}

/** Why a request is not executed, by the `extensions.code` of its errors. Contract: Gateway, the table. */
export const refusalKinds = {
  BAD_REQUEST: { status: 400, isBeforeGraphql: true },
  UNAUTHENTICATED: { status: 401, isBeforeGraphql: true },
  NOT_FOUND: { status: 404, isBeforeGraphql: true },
  METHOD_NOT_ALLOWED: { status: 405, isBeforeGraphql: true },
  NOT_ACCEPTABLE: { status: 406, isBeforeGraphql: true },
  REQUEST_TIMEOUT: { status: 408, isBeforeGraphql: true },
  PAYLOAD_TOO_LARGE: { status: 413, isBeforeGraphql: true },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, isBeforeGraphql: true },
  REQUEST_RATE_LIMITED: { status: 429, isBeforeGraphql: true },
  INTERNAL_SERVER_ERROR: { status: 500, isBeforeGraphql: true },
  SERVICE_UNAVAILABLE: { status: 503, isBeforeGraphql: true },
  REQUEST_CONCURRENCY_LIMITED: { status: 503, isBeforeGraphql: true },
  SERVICE_OVERLOADED: { status: 503, isBeforeGraphql: true },
  GATEWAY_TIMEOUT: { status: 504, isBeforeGraphql: true },
  PERSISTED_QUERY_NOT_IN_LIST: { status: 404 },
  PERSISTED_QUERY_ID_REQUIRED: { status: 400 },
  PERSISTED_QUERY_NOT_FOUND: { status: 200 },
  PERSISTED_QUERY_NOT_SUPPORTED: { status: 200 },
  PERSISTED_QUERY_HASH_MISMATCH: { status: 400 },
  CANNOT_SEND_PQ_ID_AND_BODY: { status: 400 },
  QUERY_NOT_IN_SAFELIST: { status: 403 },
  PARSING_ERROR: { status: 400, quotesRequest: true },
  GRAPHQL_UNKNOWN_OPERATION_NAME: { status: 400, quotesRequest: true },
  ANONYMOUS_OPERATION: { status: 400 },
  INTROSPECTION_DISABLED: { status: 400 },
  GRAPHQL_VALIDATION_FAILED: { status: 400, quotesRequest: true },
  MAX_DEPTH_LIMIT: { status: 400 },
  MAX_ALIASES_LIMIT: { status: 400 },
  MAX_ROOT_FIELDS_LIMIT: { status: 400 },
  VALIDATION_INVALID_TYPE_VARIABLE: { status: 400, quotesRequest: true },
  PAGE_SIZE_LIMIT: { status: 400 },
  COST_ESTIMATED_TOO_EXPENSIVE: { status: 400 },
  BATCHING_NOT_ENABLED: { status: 400 },
} as const satisfies Record<string, RefusalKind>;

export type RefusalCode = keyof typeof refusalKinds;

/** One error of a refusal, without the code and the trace, which all of them share. */
export interface RefusalError {
  readonly message: string;
  readonly locations?: GraphQLFormattedError['locations'] | undefined;
}

export interface RefusalOptions {
  /** Further members of `extensions`. */
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** Header fields of the answer, such as `WWW-Authenticate`, `Retry-After` or `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What really happened; for the log, never for the client. */
  readonly cause?: unknown;
}

/**
 * A request that is not executed, for a reason that is safe to show: made only from what the client sent and from what
 * it may know. Everything else that is thrown is a bug or an outage, logged with its cause and shown without it.
 */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly errors: readonly RefusalError[];
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: RefusalCode,
    errors: readonly RefusalError[],
    { extensions = {}, headers = {}, cause }: RefusalOptions = {},
  ) {
    const shown = errors.map((error) => ({ ...error, message: cut(error.message) }));
    super(shown[0]?.message, cause === undefined ? {} : { cause });
    this.name = 'Refusal';
    this.code = code;
    this.errors = shown;
    this.extensions = extensions;
    this.headers = headers;
  }
}

/** Messages quote what the client sent, which may be megabytes of it: neither the answer nor the log repeats them all. */
const longestMessage = 500;

function cut(message: string): string {
  return message.length > longestMessage ? `${message.slice(0, longestMessage)} …` : message;
}

/** Builds the refusal of a code, to be thrown by the rule that finds the reason. */
export function refusal(code: RefusalCode, message: string, options?: RefusalOptions): Refusal {
  return new Refusal(code, [{ message }], options);
}

/** Why a request was refused, for the log: undefined where that would quote what the request holds. */
export function loggableReason({ code, message }: Refusal): string | undefined {
  return 'quotesRequest' in refusalKinds[code] ? undefined : message;
}
