// Every `extensions.code` that the gateway itself sends. Contract: Gateway, the table. Clients also see the codes of
// subgraphs that `meridian.errors.allowed_codes` lists.
import type { SubrequestCode, SubscriptionCode } from '@meridian/executor';

interface RequestErrorKind {
  /** The HTTP status. For an error of GraphQL itself, the status for `application/graphql-response+json`. */
  readonly status: number;
  /**
   * True when it happens before GraphQL: it keeps its status, and is `application/json` whatever `Accept`
   * says.
   */
  readonly isBeforeGraphql?: true;
  /** True when its message may quote the request: it goes to the client only. */
  readonly quotesRequest?: true;
}

/** The request errors, by code. */
export const requestErrorKinds = {
  BAD_REQUEST: { status: 400, isBeforeGraphql: true },
  UNAUTHENTICATED: { status: 401, isBeforeGraphql: true },
  NOT_FOUND: { status: 404, isBeforeGraphql: true },
  METHOD_NOT_ALLOWED: { status: 405, isBeforeGraphql: true },
  NOT_ACCEPTABLE: { status: 406, isBeforeGraphql: true },
  DEFER_BAD_HEADER: { status: 406, isBeforeGraphql: true },
  SUBSCRIPTION_BAD_HEADER: { status: 406, isBeforeGraphql: true },
  REQUEST_TIMEOUT: { status: 408, isBeforeGraphql: true },
  PAYLOAD_TOO_LARGE: { status: 413, isBeforeGraphql: true },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, isBeforeGraphql: true },
  REQUEST_RATE_LIMITED: { status: 429, isBeforeGraphql: true },
  INTERNAL_SERVER_ERROR: { status: 500, isBeforeGraphql: true },
  SERVICE_UNAVAILABLE: { status: 503, isBeforeGraphql: true },
  SUBSCRIPTION_MAX_LIMIT: { status: 503, isBeforeGraphql: true },
  REQUEST_CONCURRENCY_LIMITED: { status: 503, isBeforeGraphql: true },
  SERVICE_OVERLOADED: { status: 503, isBeforeGraphql: true },
  GATEWAY_TIMEOUT: { status: 504, isBeforeGraphql: true },
  FILE_UPLOADS_OPERATION_CANNOT_STREAM: { status: 400, isBeforeGraphql: true, quotesRequest: true },
  FILE_UPLOADS_LIMITS_MAX_FILES_EXCEEDED: { status: 413, isBeforeGraphql: true },
  FILE_UPLOADS_LIMITS_MAX_FILE_SIZE_EXCEEDED: { status: 413, isBeforeGraphql: true, quotesRequest: true },
  PERSISTED_QUERY_NOT_IN_LIST: { status: 404 },
  PERSISTED_QUERY_ID_REQUIRED: { status: 400 },
  PERSISTED_QUERY_NOT_FOUND: { status: 200 },
  PERSISTED_QUERY_NOT_SUPPORTED: { status: 200 },
  PERSISTED_QUERY_HASH_MISMATCH: { status: 400 },
  CANNOT_SEND_PQ_ID_AND_BODY: { status: 400 },
  QUERY_NOT_IN_SAFELIST: { status: 403 },
  UNAUTHORIZED_FIELD_OR_TYPE: { status: 403 },
  PARSING_ERROR: { status: 400, quotesRequest: true },
  GRAPHQL_UNKNOWN_OPERATION_NAME: { status: 400, quotesRequest: true },
  ANONYMOUS_OPERATION: { status: 400 },
  INTROSPECTION_DISABLED: { status: 400 },
  GRAPHQL_VALIDATION_FAILED: { status: 400, quotesRequest: true },
  UNKNOWN_ERROR: { status: 400 },
  MUTATION_FORBIDDEN: { status: 400 },
  MAX_DEPTH_LIMIT: { status: 400 },
  MAX_HEIGHT_LIMIT: { status: 400 },
  MAX_ALIASES_LIMIT: { status: 400 },
  MAX_ROOT_FIELDS_LIMIT: { status: 400 },
  MAX_SUBGRAPH_FETCHES_LIMIT: { status: 400 },
  VALIDATION_INVALID_TYPE_VARIABLE: { status: 400, quotesRequest: true },
  PAGE_SIZE_LIMIT: { status: 400 },
  COST_ESTIMATED_TOO_EXPENSIVE: { status: 400 },
  SUBGRAPH_COST_ESTIMATED_TOO_EXPENSIVE: { status: 400 },
  BATCHING_NOT_ENABLED: { status: 400 },
  BATCH_LIMIT_EXCEEDED: { status: 422 },
  BATCHING_DEFER_UNSUPPORTED: { status: 406 },
  BATCHING_SUBSCRIPTION_UNSUPPORTED: { status: 406 },
} as const satisfies Record<string, RequestErrorKind>;

export type RequestErrorCode = keyof typeof requestErrorKinds;

/** Error codes that occur beside partial data, with status 200. */
export type ExecutionCode =
  | Exclude<SubrequestCode, SubscriptionCode>
  | 'INTERNAL_SERVER_ERROR'
  | 'UNAUTHORIZED_FIELD_OR_TYPE';

// A record, so that none can be missing.
const allExecutionCodes: Readonly<Record<ExecutionCode, true>> = {
  GATEWAY_TIMEOUT: true,
  REQUEST_CIRCUIT_BREAKER_OPEN: true,
  REQUEST_RATE_LIMITED: true,
  SUBGRAPH_COST_ESTIMATED_TOO_EXPENSIVE: true,
  INTERNAL_SERVER_ERROR: true,
  SUBREQUEST_HTTP_ERROR: true,
  SUBREQUEST_MALFORMED_RESPONSE: true,
  UNAUTHORIZED_FIELD_OR_TYPE: true,
};

/** The codes that end a subscription before its subgraph does. */
export const streamEndCodes = [
  'SUBSCRIPTION_SCHEMA_RELOAD',
  'SUBSCRIPTION_CONFIG_RELOAD',
  'SUBSCRIPTION_JWT_EXPIRED',
  'SUBSCRIPTION_MAX_LIFETIME_EXCEEDED',
] as const;

export type StreamEndCode = (typeof streamEndCodes)[number];

export const executionCodes: readonly string[] = Object.keys(allExecutionCodes);
