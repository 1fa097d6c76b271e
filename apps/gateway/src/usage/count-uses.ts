import type { OperationInterceptor } from '../interceptors/gateway-request.ts';
import type { UsageRecorder } from './usage-recorder.ts';

/** Counts the operations that run, the failed ones too. */
export function countUses(usage: Pick<UsageRecorder, 'count'>): OperationInterceptor {
  return async (operationRequest, next) => {
    const { request, graphqlRequest, graph, operation, cost } = operationRequest;
    let isFailed = true;
    try {
      const result = await next(operationRequest);
      isFailed = result.errors.length > 0;
      return result;
    } finally {
      const durationMs = performance.now() - request.context.startedMs;
      const { headers, variables } = graphqlRequest;
      usage.count(operation, graph.supergraph.apiSchema, headers, { durationMs, isFailed, cost, variables });
    }
  };
}
