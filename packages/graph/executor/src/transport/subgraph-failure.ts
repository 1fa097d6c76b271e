import type { SubrequestCode } from '../result.ts';

/** A failed subrequest. The message is for the log: it may name hosts. */
export class SubgraphFailure extends Error {
  override readonly name = 'SubgraphFailure';
  readonly code: SubrequestCode;
  /** The HTTP status, if the subgraph responded with an error status. */
  readonly status: number | undefined;
  /** Of a response with an error status whose media type allows a GraphQL response: unchecked. */
  readonly body: string | Buffer | undefined;

  /** The time after which the request may be sent, where it was not sent. */
  readonly retryAfterMs: number | undefined;

  constructor(code: SubrequestCode, message: string, options: FailureOptions = {}) {
    super(message, options);
    this.code = code;
    this.status = options.status;
    this.body = options.body;
    this.retryAfterMs = options.retryAfterMs;
  }
}

interface FailureOptions extends ErrorOptions {
  readonly status?: number;
  readonly body?: string | Buffer;
  readonly retryAfterMs?: number;
}

/** The other side closed a kept connection without a byte of a response. */
export class ConnectionLost extends SubgraphFailure {
  constructor(cause: unknown) {
    super('SUBREQUEST_HTTP_ERROR', unreachable, { cause });
  }
}

const unreachable = 'the subgraph could not be reached';

/** The failure of a subrequest that ended with an error: that error itself, or that the subgraph was out of reach. */
export function failureOf(error: unknown): SubgraphFailure {
  return error instanceof SubgraphFailure
    ? error
    : new SubgraphFailure('SUBREQUEST_HTTP_ERROR', unreachable, { cause: error });
}

/** The failure of a subrequest without a response in time. */
export function failureOfTime(timeoutMs: number): SubgraphFailure {
  return new SubgraphFailure('GATEWAY_TIMEOUT', `no response within ${timeoutMs} ms`);
}

/** The failure of a subrequest with a status other than 2xx. */
export function failureOfStatus(status: number, body: string | Buffer = ''): SubgraphFailure {
  const message = `the subgraph responded with the status ${status}`;
  return new SubgraphFailure('SUBREQUEST_HTTP_ERROR', message, {
    status,
    ...(body.length > 0 && { body }),
  });
}

/**
 * True for the media type of an error response that may be a GraphQL response: GraphQL over HTTP §6.4.2, and servers
 * from before it.
 */
export function mayHoldGraphql(mediaType: string | undefined): boolean {
  const [type = ''] = (mediaType ?? '').split(';');
  return graphqlTypes.has(type.trim().toLowerCase());
}

const graphqlTypes: ReadonlySet<string> = new Set(['application/graphql-response+json', 'application/json']);
