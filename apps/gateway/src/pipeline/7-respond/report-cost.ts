import type { IncomingHttpHeaders } from 'node:http';

import type { ResponsePath } from '@meridian/executor';
import type { HttpResponse, RequestContext } from '@meridian/http';

import type { CostMetrics } from '../../telemetry/cost-metrics.ts';
import type { RunBatch, RunResult } from '../../operation/run.ts';
import type { Variables } from '../../operation/admitted-operation.ts';

/** An executed operation and its estimated cost. */
export interface CostedRun {
  readonly operation: { readonly measureCost: (data: unknown, variables: Variables) => number };
  readonly variables: Variables;
  /** Its data is decoded only on access. */
  readonly result: Pick<RunResult, 'data' | 'measureFetches'>;
  readonly estimated: number;
  readonly headers: IncomingHttpHeaders;
}

/** The places of a request to which its cost is written. */
export interface CostWatch {
  /** Its log is read only if there is something to log. */
  readonly context: Pick<RequestContext, 'log'>;
  readonly notes: { costActual: number | undefined };
}

/**
 * Creates the reporting of costs, to the log, the metrics and, if the client requests it, in header fields. Measuring reads
 * the whole response again, which would cost a small operation as much as everything else the gateway does for it. So it
 * is done for a sample, and for requests with `Meridian-Include-Cost: true`.
 *
 * Contract: Gateway, "Cost headers on request".
 *
 * @param measureEvery the actual cost is measured for the first response of each operation, then for one in this many
 */
export function createCostReport(metrics: CostMetrics, measureEvery: number) {
  const isSampled = createSampler(measureEvery);
  return {
    report(response: HttpResponse, run: CostedRun, { context, notes }: CostWatch): HttpResponse {
      const { operation, result, estimated, headers } = run;
      const isRequested = isRequestedBy(headers);
      const actual =
        isSampled(operation) || isRequested
          ? measure(run, () => JSON.parse(result.data), metrics, context)
          : undefined;
      notes.costActual = actual;
      return isRequested ? withFields(response, estimated, actual) : response;
    },
    /** Reports a result in parts: its header fields have the estimate alone. */
    reportFirst(response: HttpResponse, { estimated, headers }: CostedRun): HttpResponse {
      return isRequestedBy(headers) ? withFields(response, estimated, undefined) : response;
    },
    /** Passes the later parts on. The cost of all parts is measured at their end. */
    measureParts(
      batches: AsyncIterable<RunBatch>,
      run: CostedRun,
      { context, notes }: CostWatch,
    ): AsyncIterable<RunBatch> {
      return isSampled(run.operation) || isRequestedBy(run.headers)
        ? mergedParts(batches, run.result, (whole) => {
            notes.costActual = measure(run, whole, metrics, context);
          })
        : batches;
    },
  };
}

const isRequestedBy = (headers: IncomingHttpHeaders): boolean => headers['meridian-include-cost'] === 'true';

/** Passes the parts on, and merges them; at the end, or when the client leaves, those that came are the whole. */
async function* mergedParts(
  batches: AsyncIterable<RunBatch>,
  { data }: Pick<RunResult, 'data'>,
  onWhole: (whole: () => unknown) => void,
): AsyncGenerator<RunBatch, void, void> {
  const fragments: RunBatch['completed'][number][] = [];
  try {
    for await (const batch of batches) {
      fragments.push(...batch.completed);
      yield batch;
    }
  } finally {
    onWhole(() => {
      const root = { data: JSON.parse(data) as unknown };
      for (const { fragment, data: part } of fragments) {
        mergeInto(valueAt(root.data, fragment.path), JSON.parse(part));
      }
      return root.data;
    });
  }
}

function valueAt(root: unknown, path: ResponsePath): unknown {
  return path.reduce<unknown>((value, key) => Reflect.get(Object(value), key), root);
}

function mergeInto(target: unknown, part: unknown): void {
  if (typeof target !== 'object' || target === null || typeof part !== 'object' || part === null) {
    return;
  }
  for (const [name, value] of Object.entries(part)) {
    const known: unknown = Reflect.get(target, name);
    if (typeof known === 'object' && known !== null) {
      mergeInto(known, value);
    } else {
      Reflect.set(target, name, value);
    }
  }
}

/** The actual cost; undefined when it cannot be computed, which must not hold back a good response. */
function measure(
  { operation, variables, result, estimated }: CostedRun,
  data: () => unknown,
  metrics: CostMetrics,
  context: Pick<RequestContext, 'log'>,
): number | undefined {
  try {
    const actual = result.measureFetches?.() ?? operation.measureCost(data(), variables);
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
