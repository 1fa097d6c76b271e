import type { RenderProblem } from '@meridian/http';
import { startTrace } from '@meridian/telemetry';

/** The codes of what is refused before a request reaches the pipeline, and on the admin listener. */
const codes: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  408: 'REQUEST_TIMEOUT',
  431: 'HEADERS_TOO_LARGE',
  503: 'SERVICE_UNAVAILABLE',
};

/** Shows, in GraphQL's form, what the HTTP server refuses by itself: bad framing, headers too large. */
export const renderProblem: RenderProblem = ({ status, detail, headers }) => {
  const { traceId } = startTrace();
  const code = codes[status] ?? 'INTERNAL_SERVER_ERROR';
  return {
    status,
    headers: {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'apollo-trace-id': traceId,
      ...headers,
    },
    body: JSON.stringify({ errors: [{ message: detail, extensions: { code, traceId } }] }),
  };
};
