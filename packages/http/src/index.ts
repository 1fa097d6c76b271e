export { createAdminListener } from './process/admin-listener.ts';
export type { AdminListenerOptions, AdminRoute } from './process/admin-listener.ts';
export { runProcess } from './process/run-process.ts';
export type { ProcessOptions } from './process/run-process.ts';
export { runService } from './process/run-service.ts';
export type { OpenService, RunningService, ServiceOptions } from './process/run-service.ts';
export { exitOnSignals, stopOnSignals } from './process/stop-on-signals.ts';

export { exchangeListener } from './exchange/node-exchange.ts';
export type { EndListener, Exchange, RequestHead, ServeExchange } from './exchange/exchange.ts';

export { authenticate, callerOf, requireScope } from './middleware/authenticate.ts';
export { codedContentTypeOf, contentTypeOf } from './exchange/content-type.ts';
export { createFairLimit } from './middleware/fair-limit.ts';
export type { FairLimit } from './middleware/fair-limit.ts';
export { inSequence } from './middleware/in-sequence.ts';
export { limitLoad } from './middleware/limit-load.ts';
export type { LoadLimits } from './middleware/limit-load.ts';
export { negotiate, readableAccept } from './exchange/negotiate.ts';
export { createRequestObserver, observeRequests, requestIdOf } from './exchange/observe-requests.ts';
export type {
  ObserveRequestsOptions,
  ObservedRequest,
  RequestObserver,
} from './exchange/observe-requests.ts';
export { readBody } from './exchange/read-body.ts';
export type { ByteCounter, ReadBodyOptions } from './exchange/read-body.ts';
export { addResponseField, logOf, nameRoute, requestContext } from './exchange/request-context.ts';
export type { RequestContext } from './exchange/request-context.ts';
export {
  abortSignalOf,
  ClientDisconnected,
  DeadlineExceeded,
  requestDeadline,
  signalOf,
} from './middleware/request-deadline.ts';
export type { Middleware } from './middleware/middleware.ts';
export { checkTarget, targetOf, trailingSlashRedirect } from './exchange/target.ts';
export type { Target } from './exchange/target.ts';
export { throttleTenants } from './middleware/throttle-tenants.ts';

export { clientClosedStatus } from './exchange/final-status.ts';
export { sendResponse } from './exchange/http-response.ts';
export type { HttpResponse } from './exchange/http-response.ts';
export { handleProblems } from './middleware/handle-problems.ts';
export type { HandleError, ProblemHandlerOptions } from './middleware/handle-problems.ts';
export { privateCacheControl } from './exchange/cache-control.ts';
export { problemRenderer } from './exchange/render-problem.ts';
export type { RenderProblem } from './exchange/render-problem.ts';
export { publicDocument } from './middleware/public-document.ts';
export type { PublicDocument } from './middleware/public-document.ts';

export { createHttpServer } from './http-server.ts';
export type { HttpServer, HttpServerOptions, HttpServing } from './http-server.ts';
export { ListenError, listen } from './server/listen.ts';
export type { ListenAddress } from './server/listen.ts';
