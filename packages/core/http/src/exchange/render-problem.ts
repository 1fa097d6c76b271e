import { problemBody, problemMediaType } from '@meridian/problem-details';
import type { Problem } from '@meridian/problem-details';

import type { WholeResponse } from './http-response.ts';

/** Renders a problem for a service's clients. */
export type RenderProblem = (problem: Problem) => WholeResponse;

/** Renders problems as RFC 9457 bodies, which no cache may store. Spec: Errors, rule 2. */
export function problemRenderer(problemBaseUrl: string): RenderProblem {
  return (problem) => ({
    status: problem.status,
    headers: { 'Content-Type': problemMediaType, 'Cache-Control': 'no-store', ...problem.headers },
    body: JSON.stringify(problemBody(problem, problemBaseUrl)),
  });
}
