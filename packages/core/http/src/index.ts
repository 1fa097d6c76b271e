export { createHttpServer } from './http-server.ts';
export type { UpgradeListener } from './server/handle-upgrades.ts';
export type { HttpServer, HttpServerOptions, HttpServing } from './http-server.ts';

export { createAdminListener, methodNotAllowed, plainText } from './process/admin-listener.ts';
export type { AdminListenerOptions, AdminRoute } from './process/admin-listener.ts';
export { runProcess } from './process/run-process.ts';
export type { ProcessOptions } from './process/run-process.ts';
export { runService } from './process/run-service.ts';
export type { OpenService, RunningService, ServiceOptions } from './process/run-service.ts';
export { exitOnSignals, stopOnSignals } from './process/stop-on-signals.ts';

export { ListenError, isSocketPath, listen } from './server/listen.ts';
export type { ListenAddress } from './server/listen.ts';
export type { HeadLimits } from './server/message-rules.ts';
export { secureContextOptions } from './server/secure-server.ts';
export type { ServerCertificate, TlsOptions } from './server/secure-server.ts';

export { authenticate, callerOf, requireScope } from './middleware/authenticate.ts';
export { checkTarget } from './middleware/check-target.ts';
export { createFairLimit } from './middleware/fair-limit.ts';
export type { FairLimit } from './middleware/fair-limit.ts';
export { handleProblems } from './middleware/handle-problems.ts';
export type { HandleError, ProblemHandlerOptions } from './middleware/handle-problems.ts';
export { limitLoad } from './middleware/limit-load.ts';
export type { LoadLimits } from './middleware/limit-load.ts';
export { limitWaiting } from './middleware/limit-waiting.ts';
export type { WaitingLimits, WaitingRequests } from './middleware/limit-waiting.ts';
export { inSequence } from './middleware/middleware.ts';
export type { Middleware, Next } from './middleware/middleware.ts';
export { observeRequests } from './middleware/observe-requests.ts';
export { publicDocument } from './middleware/public-document.ts';
export type { PublicDocument } from './middleware/public-document.ts';
export { abortSignalOf, requestDeadline, signalOf } from './middleware/request-deadline.ts';
export { throttleTenants } from './middleware/throttle-tenants.ts';

export { codedContentTypeOf, contentTypeOf } from './exchange/content-type.ts';
export { allocateBody } from './exchange/head-room.ts';
export { dropParts, isWhole } from './exchange/body-in-parts.ts';
export type { BodyInParts, WholeBody } from './exchange/body-in-parts.ts';
export { nodeHttp } from './exchange/node-http.ts';
export { ClientDisconnected, DeadlineExceeded, ServiceStopping } from './exchange/early-end.ts';
export { clientClosedStatus } from './exchange/exchange.ts';
export type { EndListener, Exchange, RequestHead, ServeExchange } from './exchange/exchange.ts';
export { privateCacheControl, sendResponse } from './exchange/http-response.ts';
export type { HttpResponse, WholeResponse } from './exchange/http-response.ts';
export { negotiate, readableAccept } from './exchange/negotiate.ts';
export { exchangeListener } from './exchange/node-exchange.ts';
export { readBody } from './exchange/read-body.ts';
export type { ByteCounter, ReadBodyOptions } from './exchange/read-body.ts';
export { problemRenderer } from './exchange/render-problem.ts';
export type { RenderProblem } from './exchange/render-problem.ts';
export {
  addResponseField,
  logOf,
  nameRoute,
  requestContext,
  requestIdOf,
} from './exchange/request-context.ts';
export type { RequestContext } from './exchange/request-context.ts';
export { createRequestObserver } from './exchange/request-observer.ts';
export type {
  ObserveRequestsOptions,
  ObservedRequest,
  RequestObserver,
} from './exchange/request-observer.ts';
export { RequestSignal } from './exchange/request-signal.ts';
export { targetOf, trailingSlashRedirect } from './exchange/target.ts';
export type { Target } from './exchange/target.ts';
