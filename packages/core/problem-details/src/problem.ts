/**
 * A failure that is safe to show to the client unchanged: its detail is made from what the client sent, never from what
 * the service knows. Any other error is a bug or an outage, and is shown as `internal`.
 */
export class Problem extends Error {
  override readonly name = 'Problem';
  /** The last segment of the `type` URI. */
  readonly kind: string;
  readonly status: number;
  /** For people; a client must not parse it. */
  readonly detail: string;
  /** Header fields of the response, such as `WWW-Authenticate`, `Retry-After` or `Allow`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    kind: string,
    { status, retryAfterSeconds }: ProblemRule,
    detail: string,
    { headers, cause }: ProblemOptions = {},
  ) {
    super(`${kind}: ${detail}`, cause === undefined ? {} : { cause });
    this.kind = kind;
    this.status = status;
    this.detail = detail;
    // Spec: Errors, "Status codes": 429 and 503 must carry `Retry-After`, and a lookup timeout carries 1 second.
    const ofKind = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
    this.headers = Object.freeze({ ...ofKind, ...headers });
  }
}

/** The parts of the response that all problems of one kind share. */
export interface ProblemRule {
  /** The HTTP status; a kind has exactly one. */
  readonly status: number;
  /** The `Retry-After` if the problem itself has none. */
  readonly retryAfterSeconds?: number;
}

export interface ProblemOptions {
  /** Added to the kind's own header fields; takes precedence over them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The underlying cause; for the log, never for the client. */
  readonly cause?: unknown;
}

/** Creates a problem. Throw it where its meaning is known; the edge renders it, once. */
export type CreateProblem<Kind extends string> = (
  kind: Kind,
  detail: string,
  options?: ProblemOptions,
) => Problem;

/**
 * Defines the kinds of problem of a service, by name. The returned function creates problems of these kinds.
 *
 * @throws {TypeError} from the returned function, for another kind
 */
export function defineProblems<const Kinds extends Readonly<Record<string, ProblemRule>>>(
  kinds: Kinds,
): CreateProblem<Extract<keyof Kinds, string>> {
  return (kind, detail, options) => {
    const rule = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (rule === undefined) {
      throw new TypeError(`Cannot create a problem of the kind ${JSON.stringify(kind)}: it is not defined`);
    }
    return new Problem(kind, rule, detail, options);
  };
}
