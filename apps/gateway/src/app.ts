import type { TokenVerifier } from '@meridian/auth';
import { composeInterceptors } from '@meridian/executor';
import type { HttpResponse, ServeExchange } from '@meridian/http';
import { trailingSlashRedirect } from '@meridian/http';

import type { ProcessParts } from './assembly/process-parts.ts';
import { createRespondInParts } from './app/respond-in-parts.ts';
import { createRunOperations } from './app/run-operations.ts';
import { createShowErrors } from './app/show-errors.ts';
import type { GatewayConfig } from './config/gateway-config.ts';
import { ReceivedBatch, serveBatches } from './batching/serve-batches.ts';
import { requestError } from './errors/request-error.ts';
import { createGraphEndpoint } from './graph-endpoint.ts';
import type { Graph } from './graph/graph.ts';
import type { LoadLimit, RequestLoad } from './http/limit-load.ts';
import { cors } from './interceptors/cors.ts';
import type { GatewayRequest, RequestInterceptor } from './interceptors/gateway-request.ts';
import { keepForCaller } from './interceptors/keep-for-caller.ts';
import { respondToErrors } from './interceptors/respond-to-errors.ts';
import type { ThrottleOptions } from './interceptors/throttle.ts';
import { throttleRequests } from './interceptors/throttle.ts';
import { checkMessage } from './pipeline/1-receive/check-message.ts';
import { checkPath } from './pipeline/1-receive/check-path.ts';
import {
  requireDeferFormat,
  requireSubscriptionFormat,
  responseMediaType,
} from './pipeline/1-receive/media-types.ts';
import { preventCsrf } from './pipeline/1-receive/prevent-csrf.ts';
import { createDecompressor } from './pipeline/2-identify/decompress-body.ts';
import type { OperationSources } from './pipeline/2-identify/find-operation.ts';
import { findOperation } from './pipeline/2-identify/find-operation.ts';
import { readWholeBody } from './pipeline/2-identify/read-body-members.ts';
import { identifyCaller } from './pipeline/2-identify/identify-caller.ts';
import type { TokenSources } from './pipeline/2-identify/token-sources.ts';
import { readRequest } from './pipeline/2-identify/read-request.ts';
import { createAdmitOperation } from './pipeline/4-admit/admit-operation.ts';
import type { ResponseRules } from './pipeline/7-respond/add-client-fields.ts';
import { addClientFields } from './pipeline/7-respond/add-client-fields.ts';
import { createCostReport } from './pipeline/7-respond/report-cost.ts';
import { resultResponse } from './pipeline/7-respond/result-response.ts';
import { subscriptionResponse } from './pipeline/7-respond/parts/subscription-response.ts';
import { createRequestErrorReport } from './telemetry/report-request-error.ts';
import { clientFields } from './subgraphs/response-fields.ts';
import type { StageHandlers } from './stages/messages.ts';
import type { ShownResult } from './stages/operation-messages.ts';
import { dependingOn } from './stages/restrict-caching.ts';
import { appStages } from './stages/stages.ts';
import { costRulesByCaller, countTierRejections } from './tiers/tiers.ts';
import type { receiveUploads } from './uploads/receive-uploads.ts';
import { countUses } from './usage/count-uses.ts';

/** The parts of the process, and what belongs to one configuration. */
export interface AppDependencies extends ProcessParts {
  readonly config: GatewayConfig;
  /** The current graph. Call it for each request: a reload may replace it. */
  readonly graph: () => Graph;
  /** True once another configuration has taken over. */
  readonly isRetired: () => boolean;
  readonly verifier: TokenVerifier | undefined;
  /** Undefined where tokens come in `Authorization` alone. */
  readonly tokenSources: TokenSources | undefined;
  readonly sources: OperationSources;
  readonly load: LoadLimit;
  readonly rateLimiters: ThrottleOptions;
  /** Undefined where no files are taken. */
  readonly receiveUploads: typeof receiveUploads | undefined;
  /** Code at the stages of requests. */
  readonly stageHandlers: readonly StageHandlers[];
}

const noErrors: readonly never[] = [];

/** Creates the gateway's handling of requests: one GraphQL endpoint, and nothing else. */
export function createApp(dependencies: AppDependencies): ServeExchange {
  const { config, graph, verifier, tokenSources, sources, load, rateLimiters, metrics } = dependencies;
  const { costMetrics, graphMetrics, observation, usage, customTelemetry } = dependencies;
  const { graphPaths } = config;
  const { authorization, batching, csrf, limits, meridian } = config.file;
  const { compression } = meridian;
  const identity = { verifier, isRequired: authorization.require_authentication, sources: tokenSources };
  const bodyRules = {
    maxBytes: limits.http_max_request_bytes,
    json: { maxDepth: meridian.limits.json_max_depth, maxValues: meridian.limits.json_max_values },
    decompress: createDecompressor(limits.http_max_request_bytes),
    batchError: (body: Uint8Array, size: number): Error =>
      batching.enabled
        ? new ReceivedBatch(body, size)
        : requestError('BATCHING_NOT_ENABLED', 'The gateway runs one operation a request, not a batch'),
  };
  const stages = appStages(dependencies.stageHandlers, {
    credentialFields: tokenSources?.fields ?? [],
    isSecure: config.isSecure,
    unresolvedLabels: () => graph().labels?.unresolved ?? [],
    identify: (sender) => identifyCaller(sender, identity),
    readBody({ exchange, signal }) {
      const early = load.begin(undefined);
      exchange.onEnd(() => early.release());
      return readWholeBody(exchange, bodyRules, { signal, load: early });
    },
  });
  const costs = createCostReport(costMetrics, meridian.cost.measure_every);
  const isExtension = authorization.directives.errors.response === 'extensions';

  // Around the stages, the first one outermost; what is not configured is absent. See docs/interceptors.md.
  const respond = respondToErrors(createRequestErrorReport({ metrics, graphMetrics }));
  const admit = createAdmitOperation(costRulesByCaller(config.tiers));
  const throttle = throttleRequests(rateLimiters, config);
  const aroundRequest = [
    customTelemetry?.aroundRequest,
    redirectTrailingSlash,
    cors(config.file.cors, graphPaths),
    tokenSources && keepForCaller(tokenSources.fields),
    respond,
    stages?.aroundResponse,
    // Its response, or its fault, is another one.
    stages?.aroundResponse && respond,
    countTierRejections(config.tiers, dependencies.tierRejections),
    throttle?.aroundRequest,
    config.uploads &&
      dependencies.receiveUploads?.({
        graphPaths,
        limits: config.uploads,
        metrics: dependencies.uploadMetrics,
        csrf,
        readsCookies: tokenSources?.fields.includes('cookie') === true,
      }),
    batching.enabled ? serveBatches({ batching, compression, serve: (item) => serve(item) }) : undefined,
  ];
  const aroundOperation = [
    customTelemetry?.aroundOperation,
    throttle?.aroundOperation,
    usage && countUses(usage),
    stages?.aroundOperation,
  ];

  const show = createShowErrors(config, graphMetrics);
  const operations = createRunOperations({
    aroundOperation,
    stages,
    streams: dependencies.streams,
    graph,
    isRetired: dependencies.isRetired,
    sources,
    admit,
    limits: {
      max: config.file.subscription.max_opened_subscriptions,
      maxPerTenant: meridian.subscription.max_per_tenant,
      maxLifetimeMs: config.file.subscription.max_lifetime,
    },
    metrics: dependencies.streamMetrics,
    show: show.ofPart,
    countEvent: throttle?.countEvent,
    change: stages?.show,
    addedHeaders: ({ context }) => observation.traceFields?.(context.trace),
  });
  const respondInParts = createRespondInParts(config.file, show, stages?.show);

  /**
   * The stages, in their order. Each rejects a request by throwing. What is there already (caller, body,
   * operation) is not awaited: each wait would cost the smallest operation two thousandths of its time.
   */
  const handle = async (request: GatewayRequest): Promise<HttpResponse> => {
    const { exchange: received, context, signal, notes, recorder } = request;
    let requestLoad: RequestLoad | undefined;
    let releaseGraph: (() => void) | undefined;
    let isInParts = false;
    try {
      // 1-receive: the message, by its path and header alone
      context.route = checkPath(received, graphPaths);
      const mediaType = responseMediaType(received.headers.accept);
      request.mediaType = mediaType;
      const method = checkMessage(received);
      preventCsrf(received.headers, csrf);
      load.checkRoom();
      const receiving = stages?.receive(request);
      if (receiving !== undefined) {
        await receiving;
      }
      const { exchange } = request;
      const { headers } = exchange;

      // 2-identify: the caller, and the operation
      const identified = identifyCaller(exchange, identity);
      const caller = identified instanceof Promise ? await identified : identified;
      request.caller = caller;
      request.isIdentified = true;
      requestLoad = load.begin(caller?.tenantId);
      const read = readRequest(exchange, method, bodyRules, { signal, load: requestLoad });
      let graphqlRequest = read instanceof Promise ? await read : read;
      // Only a request that has arrived takes a place: a client that sends slowly would keep others out.
      requestLoad.acquirePlace();
      const found = findOperation(graphqlRequest, sources);
      let source = found instanceof Promise ? await found : found;
      if (stages?.prepare !== undefined) {
        const { query } = graphqlRequest;
        graphqlRequest = await stages.prepare(request, graphqlRequest, source);
        source = graphqlRequest.query === query ? source : await findOperation(graphqlRequest, sources);
      }
      recorder?.onIdentified(caller);

      // 3-compile: what depends on the text of the operation alone, once
      const current = graph();
      releaseGraph = current.acquire();
      const operation = current.compile(source, graphqlRequest.operationName);
      recorder?.onCompiled(operation, current.servers);
      notes.onCompiled(operation);

      // 4-admit: what depends on the request; `run-operations.ts` has the rest, and 5-execute
      const admissible = admit({ request, graphqlRequest, graph: current, operation }, costMetrics);
      const { variables, cost } = admissible;
      if (operation.type === 'subscription') {
        const subscriptionFormat = requireSubscriptionFormat(headers.accept);
        const { stream } = await operations.subscribe(admissible);
        const events = subscriptionResponse(stream, subscriptionFormat, headers);
        return stages === undefined ? events : stages.finish(events, request);
      }
      const format = operation.defers?.(variables) === true ? requireDeferFormat(headers.accept) : undefined;
      const result = await operations.execute(admissible);
      const { deferred } = result;
      const hasNext = format !== undefined && deferred !== undefined && deferred.pending.length > 0;
      if (hasNext) {
        isInParts = true;
        const endUse = releaseGraph;
        const ownLoad = requestLoad;
        exchange.onEnd(() => {
          // Its fetches still run where the response has failed.
          void deferred.batches[Symbol.asyncIterator]().return?.();
          endUse();
          ownLoad.release();
        });
      }
      recorder?.onExecuted(result.errors);

      // 6-mask: the errors that the client may see
      const { errors, unauthorized: withheld } = show.ofResult(result, request);

      // 7-respond: status, header and body
      let shown: ShownResult | undefined;
      if (stages?.show !== undefined) {
        const { data } = result;
        const place = { result: { data, errors }, path: [], hasNext, isFirst: true };
        shown = await stages.show(request, operation, place);
      }
      const run = { operation, variables, result, estimated: cost, headers };
      let response: HttpResponse;
      if (hasNext) {
        const batches = costs.measureParts(deferred.batches, run, request);
        const inParts = await respondInParts(request, {
          name: operation.name,
          type: operation.type,
          format,
          shown: shown ?? { data: result.data, errors },
          deferred: { ...deferred, batches },
        });
        response = withFields(inParts, request, { isPrivate: true, mayStore: false });
        response = costs.reportFirst(response, run);
      } else {
        const written = resultResponse(
          { method, type: operation.type, headers, mediaType },
          {
            result: shown === undefined || shown.data === result.data ? result : shown,
            errors: shown?.errors ?? errors,
            extensions: shown?.extensions,
            authorizationErrors: isExtension ? withheld : noErrors,
          },
          {
            hint: withheld.length > 0 ? undefined : operation.cacheHint,
            ofSubgraphs: result.cacheControl,
            compression,
          },
        );
        const whole = written instanceof Promise ? await written : written;
        const isPrivate = operation.cacheHint?.isPrivate === true;
        response = withFields(whole, request, { isPrivate, mayStore: withheld.length === 0 });
        if (request.readForLabels !== undefined) {
          response = dependingOn(response, request.readForLabels);
        }
        response = costs.report(response, run, request);
      }
      return stages === undefined ? response : stages.finish(response, request);
    } finally {
      if (!isInParts) {
        releaseGraph?.();
        requestLoad?.release();
      }
    }
  };

  const serve = createGraphEndpoint({
    ...dependencies,
    handleRequest: composeInterceptors<GatewayRequest, HttpResponse | Promise<HttpResponse>>(
      aroundRequest,
      handle,
    ),
  });
  return serve;
}

/** Redirects a path with a slash at its end to the one without. */
const redirectTrailingSlash: RequestInterceptor = (request, next) =>
  trailingSlashRedirect(request.exchange.url) ?? next(request);

/** A response with the header fields of subgraphs that rules pass on. */
function withFields(
  response: HttpResponse,
  request: GatewayRequest,
  rules: Pick<ResponseRules, 'isPrivate' | 'mayStore'>,
): HttpResponse {
  const fields = request.received && clientFields(request.received);
  if (fields === undefined) {
    return response;
  }
  request.subgraphFields = fields.list;
  const isForCaller = request.caller !== undefined || request.exchange.headers.authorization !== undefined;
  return addClientFields(response, fields, { ...rules, isForCaller });
}
