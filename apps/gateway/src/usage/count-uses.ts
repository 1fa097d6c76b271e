import type { OperationInterceptor, OperationRequest } from '../interceptors/gateway-request.ts';
import type { UsageRecorder } from './usage-recorder.ts';

/** Counts the operations that run, the failed ones too. */
export function countUses(usage: Pick<UsageRecorder, 'count'>): OperationInterceptor {
  const count = (operationRequest: OperationRequest, isFailed: boolean): void => {
    const { request, graphqlRequest, graph, operation, cost } = operationRequest;
    const durationMs = performance.now() - request.context.startedMs;
    const { headers, variables } = graphqlRequest;
    try {
      usage.count(operation, graph.supergraph.apiSchema, headers, { durationMs, isFailed, cost, variables });
    } catch (error) {
      // Nothing waits for the count: what it throws would end the process.
      request.context.log.error({ err: error }, 'a use was not counted');
    }
  };
  return (operationRequest, next) => {
    let result: ReturnType<typeof next>;
    try {
      result = next(operationRequest);
    } catch (error) {
      count(operationRequest, true);
      throw error;
    }
    // Beside the caller: a result that was counted first would cost it another promise.
    result.then(
      ({ errors }) => count(operationRequest, errors.length > 0),
      () => count(operationRequest, true),
    );
    return result;
  };
}
