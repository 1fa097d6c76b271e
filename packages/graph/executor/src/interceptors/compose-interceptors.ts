/** Handles a request: `Response` may be a promise, or a value that is sometimes one. */
export type Handler<Request, Response> = (request: Request) => Response;

/**
 * Code around a handler. It calls `next` with the request or another one, and returns its response or another one; or it
 * responds without calling `next`.
 *
 * @example
 * const sign: Interceptor<SubgraphRequest, Promise<SubgraphResponse>> = (request, next) =>
 *   next({ ...request, headers: { ...request.headers, signature: signatureOf(request.body) } });
 */
export type Interceptor<Request, Response> = (request: Request, next: Handler<Request, Response>) => Response;

/**
 * Puts interceptors around a handler, the first one outermost. An absent one is left out: it costs nothing for a
 * request. Compose them when the configuration is read, not for each request.
 */
export function composeInterceptors<Request, Response>(
  interceptors: readonly (Interceptor<Request, Response> | undefined)[],
  last: Handler<Request, Response>,
): Handler<Request, Response> {
  return interceptors.reduceRight<Handler<Request, Response>>(
    (next, interceptor) => (interceptor === undefined ? next : (request) => interceptor(request, next)),
    last,
  );
}
