import type { IncomingHttpHeaders } from 'node:http';

import type { Answer, RequestContext } from '@meridian/http';

import type { CostMetrics } from '../../cost-metrics.ts';
import type { ExecutionResult } from '../../executor/executor.ts';

export interface CostReportOptions {
  readonly metrics: CostMetrics;
  /** The actual cost is measured for the first answer of each operation, and then for one in so many. */
  readonly measureEvery: number;
}

/** An operation that has run, and what it was thought to cost. */
export interface CostedRun {
  readonly operation: { readonly measureCost: (data: unknown, variables: Variables) => number };
  readonly variables: Variables;
  /** Its data is decoded only where it is read. */
  readonly result: Pick<ExecutionResult, 'data'>;
  readonly estimated: number;
  readonly headers: IncomingHttpHeaders;
}

type Variables = Readonly<Record<string, unknown>>;

/** Tells what an operation cost: the log, the metrics and, in the header fields of the answer, a client who asks. */
export type ReportCost = (answer: Answer, run: CostedRun, context: Pick<RequestContext, 'noted'>) => Answer;

/**
 * Creates what reports costs. To measure is to read the whole answer once more, which would cost a small operation as much as
 * all else that the gateway does for it: so it is done for some, and for whoever sends `Meridian-Include-Cost: true`.
 *
 * Contract: Gateway, "Cost headers on request".
 */
export function createCostReport({ metrics, measureEvery }: CostReportOptions): ReportCost {
  const isSampled = createSampler(measureEvery);
  return (answer, { operation, variables, result, estimated, headers }, context) => {
    const isAskedFor = headers['meridian-include-cost'] === 'true';
    const actual =
      isSampled(operation) || isAskedFor
        ? operation.measureCost(JSON.parse(result.data), variables)
        : undefined;
    if (actual !== undefined) {
      metrics.onMeasured(estimated, actual);
    }
    context.noted = { costEstimated: estimated, ...(actual !== undefined && { costActual: actual }) };
    return isAskedFor ? withFields(answer, estimated, actual) : answer;
  };
}

function createSampler(every: number): (operation: object) => boolean {
  const counts = new WeakMap<object, number>();
  return (operation) => {
    const count = counts.get(operation) ?? 0;
    counts.set(operation, (count + 1) % every);
    return count === 0;
  };
}

function withFields(answer: Answer, estimated: number, actual: number | undefined): Answer {
  return {
    ...answer,
    headers: {
      ...answer.headers,
      'Meridian-Cost-Estimated': String(estimated),
      ...(actual !== undefined && { 'Meridian-Cost-Actual': String(actual) }),
    },
  };
}
