export { createAdminListener } from './process/admin-listener.ts';
export type { AdminListenerOptions, AdminRoute } from './process/admin-listener.ts';
export { runProcess } from './process/run-process.ts';
export type { ProcessOptions } from './process/run-process.ts';
export { runService } from './process/run-service.ts';
export type { OpenService, RunningService, ServiceOptions } from './process/run-service.ts';
export { exitOnSignals, stopOnSignals } from './process/stop-on-signals.ts';

export { exchangeListener } from './exchange/node-exchange.ts';
export type { EndListener, Exchange, RequestHead, ServeExchange } from './exchange/exchange.ts';

export { authenticate, callerOf, requireScope } from './request/authenticate.ts';
export { codedContentTypeOf, contentTypeOf } from './request/content-type.ts';
export { createFairLimit } from './request/fair-limit.ts';
export type { FairLimit } from './request/fair-limit.ts';
export { inSequence } from './request/in-sequence.ts';
export { limitLoad } from './request/limit-load.ts';
export type { LoadLimits } from './request/limit-load.ts';
export { negotiate, readableAccept } from './request/negotiate.ts';
export { createRequestObserver, observeRequests, requestIdOf } from './request/observe-requests.ts';
export type { ObserveRequestsOptions, ObservedRequest, RequestObserver } from './request/observe-requests.ts';
export { readBody } from './request/read-body.ts';
export type { ByteCounter, ReadBodyOptions } from './request/read-body.ts';
export { addResponseField, logOf, nameRoute, requestContext } from './request/request-context.ts';
export type { RequestContext } from './request/request-context.ts';
export {
  abortSignalOf,
  ClientDisconnected,
  DeadlineExceeded,
  requestDeadline,
  signalOf,
} from './request/request-deadline.ts';
export type { Middleware } from './request/middleware.ts';
export { checkTarget, targetOf, trailingSlashRedirect } from './request/target.ts';
export type { Target } from './request/target.ts';
export { throttleTenants } from './request/throttle-tenants.ts';

export { clientClosedStatus } from './response/final-status.ts';
export { sendResponse } from './response/http-response.ts';
export type { HttpResponse } from './response/http-response.ts';
export { handleProblems } from './response/handle-problems.ts';
export type { HandleError, ProblemHandlerOptions } from './response/handle-problems.ts';
export { privateCacheControl } from './response/cache-control.ts';
export { problemRenderer } from './response/render-problem.ts';
export type { RenderProblem } from './response/render-problem.ts';
export { publicDocument } from './response/public-document.ts';
export type { PublicDocument } from './response/public-document.ts';

export { createHttpServer } from './server/http-server.ts';
export type { HttpServer, HttpServerOptions, HttpServing } from './server/http-server.ts';
export { ListenError, listen } from './server/listen.ts';
export type { ListenAddress } from './server/listen.ts';
