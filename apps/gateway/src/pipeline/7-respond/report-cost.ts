import type { IncomingHttpHeaders } from 'node:http';

import type { HttpResponse, RequestContext } from '@meridian/http';

import type { CostMetrics } from '../../telemetry/cost-metrics.ts';
import type { RunResult } from '../../operation/run.ts';
import type { Variables } from '../../operation/compiled-operation.ts';

export interface CostReportOptions {
  readonly metrics: CostMetrics;
  /** The actual cost is measured for the first response of each operation, then for one in this many. */
  readonly measureEvery: number;
}

/** An executed operation and its estimated cost. */
export interface CostedRun {
  readonly operation: { readonly measureCost: (data: unknown, variables: Variables) => number };
  readonly variables: Variables;
  /** Its data is decoded only on access. Undefined for a result in parts, which is not measured. */
  readonly result: Pick<RunResult, 'data'> | undefined;
  readonly estimated: number;
  readonly headers: IncomingHttpHeaders;
}

/** Reports the cost of an operation to the log, the metrics and, if the client requests it, in header fields. */
export type ReportCost = (
  response: HttpResponse,
  run: CostedRun,
  watch: {
    /** Its log is read only if there is something to log. */
    readonly context: Pick<RequestContext, 'log'>;
    readonly notes: { costEstimated: number | undefined; costActual: number | undefined };
  },
) => HttpResponse;

/**
 * Creates the reporting of costs. Measuring reads the whole response again, which would cost a small
 * operation as much as everything else the gateway does for it. So it is done for a sample, and for requests
 * with `Meridian-Include-Cost: true`.
 *
 * Contract: Gateway, "Cost headers on request".
 */
export function createCostReport({ metrics, measureEvery }: CostReportOptions): ReportCost {
  const isSampled = createSampler(measureEvery);
  return (response, run, { context, notes }) => {
    const { operation, result, estimated, headers } = run;
    const isRequested = headers['meridian-include-cost'] === 'true';
    const actual =
      result !== undefined && (isSampled(operation) || isRequested)
        ? measure(run, result, metrics, context)
        : undefined;
    notes.costEstimated = estimated;
    notes.costActual = actual;
    return isRequested ? withFields(response, estimated, actual) : response;
  };
}

/** The actual cost; undefined when it cannot be computed, which must not hold back a good response. */
function measure(
  { operation, variables, estimated }: CostedRun,
  result: Pick<RunResult, 'data'>,
  metrics: CostMetrics,
  context: Pick<RequestContext, 'log'>,
): number | undefined {
  try {
    const actual = operation.measureCost(JSON.parse(result.data), variables);
    metrics.onMeasured(estimated, actual);
    return actual;
  } catch (error) {
    metrics.onUnmeasurable();
    context.log.error({ err: error }, 'the cost of a response could not be measured');
    return undefined;
  }
}

function createSampler(every: number): (operation: object) => boolean {
  const counters = new WeakMap<object, { count: number }>();
  return (operation) => {
    let counter = counters.get(operation);
    if (counter === undefined) {
      counter = { count: 0 };
      counters.set(operation, counter);
    }
    const { count } = counter;
    counter.count = (count + 1) % every;
    return count === 0;
  };
}

function withFields(response: HttpResponse, estimated: number, actual: number | undefined): HttpResponse {
  return {
    ...response,
    headers: {
      ...response.headers,
      'Meridian-Cost-Estimated': String(estimated),
      ...(actual !== undefined && { 'Meridian-Cost-Actual': String(actual) }),
    },
  };
}
