import type { RequestListener } from 'node:http';

import type { Caller, TokenVerifier } from '@meridian/auth';
import { signalOf } from '@meridian/http';
import type { Logger, Metrics } from '@meridian/telemetry';
import { formatTraceparent } from '@meridian/telemetry';
import type { GraphQLSchema } from 'graphql';

import type { GatewayConfig } from './config/gateway-config.ts';
import type { CostMetrics } from './telemetry/cost-metrics.ts';
import type { HandleGraphqlRequest } from './graph-endpoint.ts';
import { createGraphEndpoint } from './graph-endpoint.ts';
import type { Graph } from './graph/graph.ts';
import { checkMessage } from './pipeline/1-receive/check-message.ts';
import { createDecompressor } from './pipeline/2-identify/decompress-body.ts';
import type { OperationSources } from './pipeline/2-identify/find-operation.ts';
import { findOperation } from './pipeline/2-identify/find-operation.ts';
import { identifyCaller } from './pipeline/2-identify/identify-caller.ts';
import { preventCsrf } from './pipeline/1-receive/prevent-csrf.ts';
import { readRequest } from './pipeline/2-identify/read-request.ts';
import { checkCost } from './pipeline/4-admit/check-cost.ts';
import type { CompiledOperation } from './operation/compiled-operation.ts';
import { checkOperationType } from './pipeline/4-admit/check-operation-type.ts';
import { checkPageSizes } from './pipeline/4-admit/check-page-sizes.ts';
import { readVariables } from './pipeline/4-admit/read-variables.ts';
import type { LoadLimit } from './pipeline/1-receive/limit-load.ts';
import type { Throttle } from './pipeline/4-admit/throttle.ts';
import { logErrors } from './pipeline/6-mask/log-errors.ts';
import { maskErrors } from './pipeline/6-mask/mask-errors.ts';
import { createCostReport } from './pipeline/7-respond/report-cost.ts';
import { resultResponse } from './pipeline/7-respond/result-response.ts';
import type { GraphMetrics } from './telemetry/graph-metrics.ts';
import type { Observation } from './process/observation.ts';
import type { UsageRecorder } from './usage/usage-recorder.ts';

export interface AppDependencies {
  readonly config: GatewayConfig;
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

/** Creates what answers the gateway's requests: one GraphQL endpoint, and nothing else. */
export function createApp(dependencies: AppDependencies): RequestListener {
  const {
    config,
    graph,
    verifier,
    sources,
    load,
    throttle,
    logger,
    metrics,
    costMetrics,
    graphMetrics,
    observation,
    usage,
  } = dependencies;
  const { isAuthenticationRequired, propagatesTrace } = config;
  const { csrf, maxRequestBytes, json, compression } = config.http;
  const bodyRules = { maxBytes: maxRequestBytes, json, decompress: createDecompressor(maxRequestBytes) };
  const reportCost = createCostReport({ metrics: costMetrics, measureEvery: config.measuredCosts });

  /** The pipeline: the stages in their order. Each refuses by throwing. */
  const handleGraphqlRequest: HandleGraphqlRequest = async (
    incoming,
    mediaType,
    { startedMs, context, notes, recorder },
  ) => {
    const { trace, log } = context;
    let caller: Caller | undefined;
    let isCounted = false;
    let counted:
      | { readonly operation: CompiledOperation; readonly schema: GraphQLSchema; readonly cost: number }
      | undefined;
    let isFailed = true;
    let releaseLoad: (() => void) | undefined;
    let releaseGraph: (() => void) | undefined;
    try {
      // 1-identify: who asks, by the header alone; then what for, from the body
      const method = checkMessage(incoming);
      if (csrf !== undefined) {
        preventCsrf(incoming.headers, csrf);
      }
      load.check();
      caller = await identifyCaller(incoming.headers, { verifier, isRequired: isAuthenticationRequired });
      const signal = signalOf(incoming);
      const request = await readRequest(incoming, method, bodyRules, signal);
      releaseLoad = load.acquire();
      const text = await findOperation(request, sources);
      recorder?.onIdentified(caller);

      // 2-admit: whether it may run
      const { compile, admitForCaller, execute, supergraph, acquire: enter } = graph();
      releaseGraph = enter();
      const operation = compile(text, request.operationName);
      recorder?.onCompiled(operation);
      notes.onCompiled(operation);
      checkOperationType(operation.type, method);
      const variables = readVariables(supergraph.apiSchema, operation, request.variables);
      checkPageSizes(operation.pageSizes, variables);
      const cost = operation.estimateCost(variables);
      checkCost(cost, config.cost, { log, metrics: costMetrics });
      await throttle.admit(config.throttle.unit === 'cost' ? cost : 1, caller?.tenantId);
      isCounted = true;
      const admitted = admitForCaller(operation, caller);
      recorder?.onAdmitted(cost);
      counted = { operation, schema: supergraph.apiSchema, cost };

      // 3-execute: what comes of it
      const result = await execute(admitted, {
        variables,
        request,
        caller,
        addedHeaders: propagatesTrace ? { traceparent: formatTraceparent(trace) } : {},
        signal,
        observer: recorder,
      });
      const { errors, cacheControl } = result;
      recorder?.onExecuted(errors);

      // 4-mask: what of that may be shown
      logErrors(errors, log);
      const masked = maskErrors(errors, trace.traceId, config.mask);
      graphMetrics.countErrors(masked, errors, config.mask.allowedCodes);
      notes.onExecuted(masked, result.data === 'null');
      isFailed = masked.length > 0;

      // 5-respond: how it is shown
      const { headers } = request;
      const response = await resultResponse(
        { method, type: operation.type, headers, mediaType },
        { result, errors: masked },
        { hint: admitted.cacheHint, ofSubgraphs: cacheControl, compression },
      );
      return reportCost(response, { operation, variables, result, estimated: cost, headers }, { log, notes });
    } catch (error) {
      if (!isCounted) {
        throttle.countRejected(caller?.tenantId);
      }
      throw error;
    } finally {
      if (counted !== undefined) {
        const { operation, schema, cost } = counted;
        const durationMs = performance.now() - startedMs;
        usage?.count(operation, schema, incoming.headers, { durationMs, isFailed, cost });
      }
      releaseGraph?.();
      releaseLoad?.();
    }
  };

  return createGraphEndpoint({ config, handleGraphqlRequest, logger, metrics, graphMetrics, observation });
}
