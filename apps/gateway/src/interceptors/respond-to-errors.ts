import type { RequestErrorReport } from '../telemetry/report-request-error.ts';
import { eventStream } from '../http/media-types.ts';
import { toRequestError } from '../errors/to-request-error.ts';
import { asEvent } from '../pipeline/7-respond/parts/subscription-response.ts';
import { requestErrorResponse } from '../pipeline/7-respond/request-error-response.ts';
import { EarlyEnd } from '../stages/early-end.ts';
import type { RequestInterceptor } from './gateway-request.ts';

/**
 * Responds to requests that a stage, or an interceptor further in, rejects by throwing. Interceptors further out see
 * that response. It rejects when the client has hung up: then nobody waits for a response.
 */
export function respondToErrors(report: RequestErrorReport): RequestInterceptor {
  return async (request, next) => {
    try {
      return await next(request);
    } catch (thrown) {
      const { exchange, context, mediaType = 'application/json' } = request;
      if (thrown instanceof EarlyEnd && thrown.response.status < 400) {
        const { headers, body } = thrown.response;
        return mediaType === eventStream &&
          typeof body === 'string' &&
          headers?.['Content-Type'] === 'application/json'
          ? { ...thrown.response, headers: { ...headers, 'Content-Type': mediaType }, body: asEvent(body) }
          : thrown.response;
      }
      const error = toRequestError(thrown, context.log);
      report(error, request);
      if (error instanceof EarlyEnd) {
        return error.response;
      }
      const { headers } = exchange;
      return requestErrorResponse(error, { mediaType, headers }, context.trace.traceId);
    }
  };
}
