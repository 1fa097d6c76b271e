import type { Problem } from './problem.ts';

/** The media type of a problem's body, RFC 9457 §3; sent without parameters. */
export const problemMediaType = 'application/problem+json';

/** The body of a problem: exactly these members. Spec: "Problem detail (error body)". */
export interface ProblemBody {
  readonly type: string;
  readonly status: number;
  readonly detail: string;
}

/**
 * The body that a client gets for a problem.
 *
 * @param problemBaseUrl where the problem pages are served, with or without a trailing slash
 */
export function problemBody({ kind, status, detail }: Problem, problemBaseUrl: string): ProblemBody {
  return { type: problemType(kind, problemBaseUrl), status, detail };
}

/** The `type` URI of a kind: `<problemBaseUrl>/problems/<kind>`. */
export function problemType(kind: string, problemBaseUrl: string): string {
  return `${problemBaseUrl.replace(/(?<!\/)\/+$/, '')}/problems/${kind}`;
}
