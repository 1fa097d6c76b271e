import { finalStatus } from '../exchange/node-exchange.ts';
import { fillRequestContext } from '../exchange/request-context.ts';
import { createRequestObserver } from '../exchange/request-observer.ts';
import type { ObserveRequestsOptions } from '../exchange/request-observer.ts';
import type { Middleware } from './middleware.ts';

/**
 * The first middleware: gives each request an id (`Request-Id` of its response) and a trace. At the end of the request
 * it writes one log line and one observation to the metrics.
 */
export function observeRequests(options: ObserveRequestsOptions): Middleware {
  const observer = createRequestObserver(options);
  return (request, response, next) => {
    const observed = observer.begin(request);
    fillRequestContext(request, observed);
    response.on('close', () => observer.end(observed, finalStatus(response)));
    next();
  };
}
