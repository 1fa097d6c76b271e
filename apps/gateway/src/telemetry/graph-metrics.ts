import type { Metrics } from '@meridian/telemetry';
import type { GraphQLFormattedError } from 'graphql';
import { Counter } from 'prom-client';

import type { RequestErrorCode } from '../errors/error-codes.ts';
import { executionCodes, requestErrorKinds } from '../errors/error-codes.ts';
import type { RunError } from '../operation/run.ts';
import { createCircuitMetrics } from './circuit-metrics.ts';
import { createOperationMetrics } from './operation-metrics.ts';
import { createPlanningMetrics } from './planning-metrics.ts';
import { createSubgraphMetrics } from './subgraph-metrics.ts';

/** The codes of errors that the gateway itself makes. */
const ownCodes = new Set<unknown>([...Object.keys(requestErrorKinds), ...executionCodes]);
/** Replaces codes that a subgraph may invent: a label takes few values. */
const otherCode = '(others)';

/** Registers the metrics of a graph, with the names that Apollo Router has for them: once for a process. */
export function createGraphMetrics(metrics: Metrics) {
  const errorsTotal = new Counter({
    name: 'apollo_router_graphql_error_total',
    help: 'Errors in responses, by code and subgraph; no subgraph for errors of the gateway itself.',
    labelNames: ['code', 'subgraph_name'],
    registers: [metrics.registry],
  });
  return {
    ...createCircuitMetrics(metrics),
    ...createOperationMetrics(metrics),
    ...createPlanningMetrics(metrics),
    ...createSubgraphMetrics(metrics),
    /**
     * Counts the errors of a response by the code that the client gets and by the subgraph that they come from.
     *
     * @param errors of the run, one for each of `masked`, in the same order
     */
    countErrors: (
      masked: readonly GraphQLFormattedError[],
      errors: readonly RunError[],
      allowedCodes: ReadonlySet<string>,
    ): void => {
      for (const [index, { extensions }] of masked.entries()) {
        const code = extensions?.['code'];
        const isKnown = typeof code === 'string' && (ownCodes.has(code) || allowedCodes.has(code));
        errorsTotal.inc({ code: isKnown ? code : otherCode, subgraph_name: subgraphOf(errors[index]) });
      }
    },
    countRequestError: (code: RequestErrorCode): void => errorsTotal.inc({ code, subgraph_name: '' }),
  };
}

/** Empty where no subgraph, or more than one, is to blame. */
function subgraphOf(error: RunError | undefined): string {
  return (error !== undefined && 'subgraph' in error && error.subgraph) || '';
}

export type GraphMetrics = ReturnType<typeof createGraphMetrics>;
