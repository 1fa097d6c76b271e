import type { SubgraphTransport } from '@meridian/executor';
import type { Metrics } from '@meridian/telemetry';
import type { GraphQLFormattedError } from 'graphql';
import { Counter, Histogram } from 'prom-client';

import type { RefusalCode } from '../error-codes.ts';
import { executionCodes, refusalKinds } from '../error-codes.ts';
import type { PlanningMetrics } from './planning-metrics.ts';
import { createPlanningMetrics } from './planning-metrics.ts';

/** The metrics of a graph, with the names that Apollo Router has for them. */
export interface GraphMetrics extends PlanningMetrics {
  /** Counts the errors of an answer, by their codes. */
  readonly countErrors: (errors: readonly GraphQLFormattedError[], allowedCodes: ReadonlySet<string>) => void;
  readonly countRefusal: (code: RefusalCode) => void;
  /** Counts an answer that is not written as the executor reads fastest. */
  readonly countOtherwiseWritten: (subgraph: string) => void;
  /** Measures the requests that subgraphs get. */
  readonly measured: (transport: SubgraphTransport) => SubgraphTransport;
}

/** The codes of errors that the gateway itself makes. */
const ownCodes = new Set<unknown>([...Object.keys(refusalKinds), ...executionCodes]);
/** Stands for the codes that a subgraph may make up: a label takes few values. */
const otherCode = '(others)';

export function createGraphMetrics(metrics: Metrics): GraphMetrics {
  const { registry } = metrics;
  const errorsTotal = new Counter({
    name: 'apollo_router_graphql_error_total',
    help: 'Errors in answers, by their codes.',
    labelNames: ['code'],
    registers: [registry],
  });
  const requestDurationSeconds = new Histogram({
    name: 'http_client_request_duration_seconds',
    help: 'Time for a request to a subgraph, from sending it to the end of its answer, in seconds.',
    labelNames: ['subgraph_name'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const otherwiseWrittenTotal = new Counter({
    name: 'meridian_otherwise_written_answers_total',
    help: 'Answers of subgraphs without errors that had to be parsed, for the order of their keys, say.',
    labelNames: ['subgraph_name'],
    registers: [registry],
  });
  return {
    ...createPlanningMetrics(metrics),
    countErrors(errors, allowedCodes) {
      for (const { extensions } of errors) {
        const code = extensions?.['code'];
        const isKnown = typeof code === 'string' && (ownCodes.has(code) || allowedCodes.has(code));
        errorsTotal.inc({ code: isKnown ? code : otherCode });
      }
    },
    countOtherwiseWritten: (subgraph) => otherwiseWrittenTotal.inc({ subgraph_name: subgraph }),
    countRefusal: (code) => errorsTotal.inc({ code }),
    measured: (transport) => ({
      async send(request) {
        const startedMs = performance.now();
        try {
          return await transport.send(request);
        } finally {
          const seconds = (performance.now() - startedMs) / 1000;
          requestDurationSeconds.observe({ subgraph_name: request.subgraph }, seconds);
        }
      },
    }),
  };
}
