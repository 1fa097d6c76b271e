import type { Caller, TokenVerifier } from '@meridian/auth';
import type { ServeExchange } from '@meridian/http';
import type { Logger, Metrics } from '@meridian/telemetry';
import { formatTraceparent } from '@meridian/telemetry';
import type { GraphQLFormattedError, GraphQLSchema } from 'graphql';

import type { GatewayConfig } from './config/gateway-config.ts';
import { toRequestError } from './errors/to-request-error.ts';
import type { HandleRequest } from './graph-endpoint.ts';
import { createGraphEndpoint } from './graph-endpoint.ts';
import type { Graph } from './graph/graph.ts';
import type { CompiledOperation } from './operation/compiled-operation.ts';
import type { ResponseMediaType } from './http/response-media-type.ts';
import { checkMessage } from './pipeline/1-receive/check-message.ts';
import { checkPath } from './pipeline/1-receive/check-path.ts';
import { createCors } from './interceptors/cors.ts';
import type { LoadLimit, RequestLoad } from './http/limit-load.ts';
import { responseMediaType } from './pipeline/1-receive/media-types.ts';
import { preventCsrf } from './pipeline/1-receive/prevent-csrf.ts';
import { createDecompressor } from './pipeline/2-identify/decompress-body.ts';
import type { OperationSources } from './pipeline/2-identify/find-operation.ts';
import { findOperation } from './pipeline/2-identify/find-operation.ts';
import { identifyCaller } from './pipeline/2-identify/identify-caller.ts';
import { readRequest } from './pipeline/2-identify/read-request.ts';
import { checkCost } from './pipeline/4-admit/check-cost.ts';
import { checkOperationType } from './pipeline/4-admit/check-operation-type.ts';
import { checkPageSizes } from './pipeline/4-admit/check-page-sizes.ts';
import type { Variables } from './operation/compiled-operation.ts';
import { readVariables } from './pipeline/4-admit/read-variables.ts';
import type { Throttle } from './interceptors/throttle.ts';
import { logErrors } from './pipeline/6-mask/log-errors.ts';
import { maskErrors } from './pipeline/6-mask/mask-errors.ts';
import { createCostReport } from './pipeline/7-respond/report-cost.ts';
import { requestErrorResponse } from './pipeline/7-respond/request-error-response.ts';
import { resultResponse } from './pipeline/7-respond/result-response.ts';
import type { Observation } from './explain/observation.ts';
import type { CostMetrics } from './telemetry/cost-metrics.ts';
import type { GraphMetrics } from './telemetry/graph-metrics.ts';
import { createRequestErrorReport } from './telemetry/report-request-error.ts';
import type { UsageRecorder } from './usage/usage-recorder.ts';

export interface AppDependencies {
  readonly config: Pick<
    GatewayConfig,
    'cost' | 'file' | 'graphPaths' | 'mask' | 'propagatesTrace' | 'requestLogRatio' | 'throttle'
  >;
  /** The current graph. Call it for each request: a reload may replace it. */
  readonly graph: () => Graph;
  readonly verifier: TokenVerifier | undefined;
  readonly sources: OperationSources;
  readonly load: LoadLimit;
  readonly throttle: Throttle;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly costMetrics: CostMetrics;
  readonly graphMetrics: GraphMetrics;
  readonly observation: Observation;
  /** Absent when usage is not recorded. */
  readonly usage: Pick<UsageRecorder, 'count'> | undefined;
}

const noErrors: readonly never[] = [];

/** Creates the gateway's handling of requests: one GraphQL endpoint, and nothing else. */
export function createApp(dependencies: AppDependencies): ServeExchange {
  const { config, graph, verifier, sources, load, throttle, logger, metrics } = dependencies;
  const { costMetrics, graphMetrics, observation, usage } = dependencies;
  const { graphPaths, propagatesTrace } = config;
  const { authorization, csrf, limits, meridian } = config.file;
  const { compression } = meridian;
  const cors = createCors(config.file.cors);
  const identity = { verifier, isRequired: authorization.require_authentication };
  const bodyRules = {
    maxBytes: limits.http_max_request_bytes,
    json: { maxDepth: meridian.limits.json_max_depth, maxValues: meridian.limits.json_max_values },
    decompress: createDecompressor(limits.http_max_request_bytes),
  };
  const reportCost = createCostReport({
    metrics: costMetrics,
    measureEvery: meridian.cost.measure_every,
  });
  const onRequestError = createRequestErrorReport({ metrics, graphMetrics });

  /**
   * The pipeline: the stages in their order. Each rejects a request by throwing; 7-respond handles that too. To await a
   * value that is already there would cost a small operation a hundredth of its time.
   */
  const handleRequest: HandleRequest = async (exchange, watch) => {
    const { context, signal, notes, recorder } = watch;
    const { trace } = context;
    let mediaType: ResponseMediaType = 'application/json';
    let caller: Caller | undefined;
    /**
     * True from the point where a request is for the graph until the throttle counts it. Rejected in between, it is
     * counted as rejected.
     */
    let awaitsThrottle = false;
    /** True once the caller is known, or known to be anonymous. */
    let isIdentified = false;
    let counted: CountedRequest | undefined;
    let isFailed = true;
    let requestLoad: RequestLoad | undefined;
    let releaseGraph: (() => void) | undefined;
    try {
      // 1-receive: the message, by its path and header alone
      context.route = checkPath(exchange, graphPaths);
      const preflight = cors.preflightResponse(exchange);
      if (preflight !== undefined) {
        return preflight;
      }
      mediaType = responseMediaType(exchange.headers.accept);
      awaitsThrottle = true;
      const method = checkMessage(exchange);
      preventCsrf(exchange.headers, csrf);
      load.checkRoom();

      // 2-identify: the caller, and the operation
      const identified = identifyCaller(exchange.headers, identity);
      caller = identified instanceof Promise ? await identified : identified;
      isIdentified = true;
      requestLoad = load.begin(caller?.tenantId);
      const read = readRequest(exchange, method, bodyRules, { signal, load: requestLoad });
      const request = read instanceof Promise ? await read : read;
      // Only a request that has arrived takes a place: a client that sends slowly would keep others out.
      requestLoad.acquirePlace();
      const found = findOperation(request, sources);
      const source = found instanceof Promise ? await found : found;
      recorder?.onIdentified(caller);

      // 3-compile: what depends on the text of the operation alone, once
      const { compile, admitForCaller, execute, supergraph, servers, acquire } = graph();
      releaseGraph = acquire();
      const operation = compile(source, request.operationName);
      recorder?.onCompiled(operation, servers);
      notes.onCompiled(operation);

      // 4-admit: what depends on the request
      checkOperationType(operation.type, method);
      const variables = readVariables(supergraph.apiSchema, operation, request.variables);
      checkPageSizes(operation.pageSizes, variables);
      const cost = operation.estimateCost(variables);
      checkCost(cost, config.cost, context, costMetrics);
      const admission = throttle.admit(config.throttle.unit === 'cost' ? cost : 1, caller?.tenantId);
      if (admission !== undefined) {
        await admission;
      }
      awaitsThrottle = false;
      const admitted = admitForCaller(operation, caller);
      recorder?.onAdmitted(cost);
      counted = { operation, schema: supergraph.apiSchema, cost, variables: request.variables };

      // 5-execute: fetches from the subgraphs
      const result = await execute(admitted, {
        variables,
        request,
        caller,
        addedHeaders: propagatesTrace ? { traceparent: formatTraceparent(trace) } : undefined,
        signal,
        observer: recorder,
      });
      recorder?.onExecuted(result.errors);

      // 6-mask: the errors that the client may see
      let errors: readonly GraphQLFormattedError[] = noErrors;
      isFailed = result.errors.length > 0;
      if (isFailed) {
        logErrors(result.errors, context.log);
        errors = maskErrors(result.errors, trace.traceId, config.mask);
        graphMetrics.countErrors(errors, result.errors, config.mask.allowedCodes);
        notes.onExecuted(errors, result);
      }

      // 7-respond: status, header and body
      const { headers } = request;
      const made = resultResponse(
        { method, type: operation.type, headers, mediaType },
        { result, errors },
        { hint: admitted.cacheHint, ofSubgraphs: result.cacheControl, compression },
      );
      const response = made instanceof Promise ? await made : made;
      const measured = { operation, variables, result, estimated: cost, headers };
      return cors.readable(reportCost(response, measured, watch), exchange);
    } catch (error) {
      let rejection = error;
      if (awaitsThrottle && isIdentified) {
        throttle.countRejected(caller?.tenantId);
      } else if (awaitsThrottle) {
        rejection = throttle.countUnidentified(exchange.peer) ?? error;
      }
      const refused = toRequestError(rejection, context.log);
      onRequestError(refused, watch);
      const { headers } = exchange;
      return cors.readable(requestErrorResponse(refused, { mediaType, headers }, trace.traceId), exchange);
    } finally {
      if (counted !== undefined) {
        const { operation, schema, cost, variables } = counted;
        const durationMs = performance.now() - context.startedMs;
        usage?.count(operation, schema, exchange.headers, { durationMs, isFailed, cost, variables });
      }
      releaseGraph?.();
      requestLoad?.release();
    }
  };

  return createGraphEndpoint({ config, handleRequest, logger, metrics, graphMetrics, observation });
}

/** A request that runs, as the usage of fields counts it. */
interface CountedRequest {
  readonly operation: CompiledOperation;
  readonly schema: GraphQLSchema;
  readonly cost: number;
  readonly variables: Variables;
}
