import { problemKinds } from './problem-kinds.ts';
import type { ProblemKind } from './problem-kinds.ts';

/**
 * A failure that is safe to show to the client unchanged: its detail is made from what the client sent, never from what
 * the service knows. Any other error is a bug or an outage, and is shown as `internal`.
 */
export class Problem extends Error {
  readonly kind: ProblemKind;
  readonly status: number;
  /** For people; a client must not parse it. */
  readonly detail: string;
  /** Header fields of the response, such as `WWW-Authenticate`, `Retry-After` or `Allow`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(kind: ProblemKind, detail: string, { headers, cause }: ProblemOptions = {}) {
    super(`${kind}: ${detail}`, cause === undefined ? {} : { cause });
    this.name = 'Problem';
    this.kind = kind;
    this.status = problemKinds[kind].status;
    this.detail = detail;
    this.headers = Object.freeze({ ...defaultHeaders(kind), ...headers });
  }
}

export interface ProblemOptions {
  /** Added to the kind's own header fields; takes precedence over them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The underlying cause; for the log, never for the client. */
  readonly cause?: unknown;
}

/** Creates a problem. Throw it where its meaning is known; the edge renders it, once. */
export function problem(kind: ProblemKind, detail: string, options?: ProblemOptions): Problem {
  return new Problem(kind, detail, options);
}

/** Spec: Errors, "Status codes": 429 and 503 must carry `Retry-After`, and a lookup timeout carries 1 second. */
function defaultHeaders(kind: ProblemKind): Record<string, string> {
  const description = problemKinds[kind];
  return 'retryAfterSeconds' in description ? { 'Retry-After': String(description.retryAfterSeconds) } : {};
}
