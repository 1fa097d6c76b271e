import type { Caller } from '@meridian/auth';

import type { CostRules } from '../../config/traffic-limits.ts';
import type { OperationRequest } from '../../interceptors/gateway-request.ts';
import { requestError } from '../../errors/request-error.ts';
import type { CompiledOperation } from '../../operation/compiled-operation.ts';
import type { GraphqlRequest } from '../../operation/graphql-request.ts';
import type { CostMetrics } from '../../telemetry/cost-metrics.ts';
import { checkCost } from './check-cost.ts';
import { checkPageSizes } from './check-page-sizes.ts';
import { readVariables } from './read-variables.ts';

/**
 * Checks the method of a request, reads its variables, and checks its page sizes and its cost.
 *
 * @param metrics absent where no request is the reason for the check
 * @throws {RequestError} METHOD_NOT_ALLOWED, VALIDATION_INVALID_TYPE_VARIABLE, PAGE_SIZE_LIMIT or
 *   COST_ESTIMATED_TOO_EXPENSIVE
 */
export type AdmitOperation = (
  known: Omit<OperationRequest, 'cost' | 'costResult' | 'variables'>,
  metrics?: CostMetrics,
) => OperationRequest;

export function createAdmitOperation(costRulesOf: (caller: Caller | undefined) => CostRules): AdmitOperation {
  return ({ request, graphqlRequest, graph, operation }, metrics) => {
    checkMethod(operation, graphqlRequest);
    const variables = readVariables(graph.supergraph.apiSchema, operation, graphqlRequest.variables);
    checkPageSizes(operation.pageSizes, variables);
    const cost = operation.estimateCost(variables);
    request.notes.costEstimated = cost;
    const costResult = checkCost(cost, costRulesOf(request.caller), request.context, metrics);
    return { request, graphqlRequest, graph, operation, variables, cost, costResult };
  };
}

/** A GET may be repeated by any intermediary, so it never writes. */
function checkMethod({ type }: CompiledOperation, { method }: GraphqlRequest): void {
  if (type === 'mutation' && method === 'GET') {
    throw requestError('METHOD_NOT_ALLOWED', 'A mutation must be sent by POST', {
      headers: { Allow: 'POST' },
    });
  }
}
