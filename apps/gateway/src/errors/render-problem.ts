import type { RenderProblem } from '@meridian/http';
import type { Logger } from '@meridian/telemetry';
import { startTrace } from '@meridian/telemetry';

/** The codes of requests that are rejected before the pipeline, and on the admin listener. */
const codes: Readonly<Record<number, string>> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHENTICATED',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  408: 'REQUEST_TIMEOUT',
  414: 'PATH_TOO_LONG',
  431: 'HEADERS_TOO_LARGE',
  503: 'SERVICE_UNAVAILABLE',
};

/** Probes come every few seconds and are not logged: the log says when readiness changes. */
const notReady = 503;

/**
 * Renders, in GraphQL's form, the requests that the HTTP server itself rejects: bad framing, headers too large. The
 * trace id that a client can quote is in the log as well.
 */
export function createRenderProblem(logger: Logger): RenderProblem {
  return ({ status, detail, headers }) => {
    const { traceId } = startTrace();
    const code = codes[status] ?? 'INTERNAL_SERVER_ERROR';
    if (status !== notReady) {
      logger.info({ traceId, code, status }, 'rejected before the pipeline');
    }
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
}
