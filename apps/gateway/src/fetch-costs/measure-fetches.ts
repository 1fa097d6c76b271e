import type { SubgraphInterceptor } from '@meridian/executor';
import { isRecord } from '@meridian/settings/values';
import { Kind, parse } from 'graphql';

import type { MeasureCost } from '../operation/compiled-operation.ts';
import type { AdmittedOperation } from '../operation/admitted-operation.ts';
import type { ReceivedFetch, Run, RunInterceptor } from '../operation/run.ts';
import type { MeasureOptions } from '../pipeline/3-compile/measure-cost.ts';
import { prepareMeasure } from '../pipeline/3-compile/measure-cost.ts';
import { withEntities } from '../plan-limits/estimate-subgraphs.ts';

/**
 * The actual cost of operations as the sum of their fetches: `actual_cost_mode: by_subgraph`. Measures each request to a
 * subgraph as an operation of its own, by its response, as Apollo Router does. The responses are kept until the result has
 * been reported, and read only if it is measured.
 *
 * @param options of the supergraph: fetches select fields that clients may not
 */
export function createFetchMeasure({ schema, costOf }: MeasureOptions) {
  const options = { schema, costOf: withEntities(costOf) };
  // A plan has few texts, and lives as long as its operation.
  const prepared = new WeakMap<AdmittedOperation, Map<string, MeasureCost>>();
  const measureOf = (operation: AdmittedOperation, text: string): MeasureCost => {
    const known = prepared.get(operation) ?? new Map<string, MeasureCost>();
    prepared.set(operation, known);
    const measure = known.get(text) ?? prepare(text, options);
    known.set(text, measure);
    return measure;
  };
  const costOfFetch = (operation: AdmittedOperation, { request, response }: ReceivedFetch): number => {
    const { query, variables } = readObject(request);
    const { data } = readObject(response);
    return isRecord(data)
      ? measureOf(operation, String(query))(data, isRecord(variables) ? variables : {})
      : 0;
  };
  /** Inside the deduplication of runs: all clients of one run get its cost. */
  const aroundRun: RunInterceptor = async (run, next) => {
    const fetches: ReceivedFetch[] = [];
    const { operation } = run;
    const measureFetches = (): number =>
      fetches.reduce((cost, fetch) => cost + costOfFetch(operation, fetch), 0);
    // A copy would have to be encoded again.
    return Object.assign(await next({ ...run, fetches }), { measureFetches });
  };
  return { aroundRun, aroundFetch };
}

/** Outside all other code: a fetch costs what the run gets for what the plan asks. */
const aroundFetch: SubgraphInterceptor<Run> = async (request, next) => {
  const response = await next(request);
  request.run.fetches?.push({ request: request.body, response: response.text });
  return response;
};

function prepare(text: string, options: MeasureOptions): MeasureCost {
  const document = parse(text, { noLocation: true });
  const definition = document.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  return definition?.kind === Kind.OPERATION_DEFINITION
    ? prepareMeasure(document, definition, options)
    : () => 0;
}

/** Empty for what is not an object: a response that the run cannot use costs nothing. */
function readObject(json: string | Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(String(json));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
