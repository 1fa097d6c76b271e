import { createSingleFlight } from '../single-flight.ts';
import type { SubgraphInterceptor, SubgraphRequest, SubgraphResponse } from '../subgraph-transport.ts';
import { traceFields } from '../trace-fields.ts';

/**
 * Sends equal queries to one subgraph that are in flight at the same time once, also across runs. Equal means the same
 * body and header fields, byte for byte. That includes everything on which a subgraph can base its authorization. A
 * deduplicated request belongs to the trace of the request that caused it.
 */
export function deduplicateQueries<Run>(): SubgraphInterceptor<Run> {
  const singleFlight = createSingleFlight<SubgraphRequest<Run>, SubgraphResponse>(hasSameFields);
  return (request, next) =>
    request.operationKind === 'query'
      ? singleFlight.join(request.body, request, request.signal, (signal) => next({ ...request, signal }))
      : next(request);
}

type Fields = Pick<SubgraphRequest, 'headers'>;

/** Requests of many callers are compared, and mostly differ in their first fields. */
function hasSameFields(one: Fields, other: Fields): boolean {
  let fieldsLeft = 0;
  for (const name in other.headers) {
    if (!traceFields.has(name)) {
      fieldsLeft += 1;
    }
  }
  for (const name in one.headers) {
    if (!traceFields.has(name)) {
      if (one.headers[name] !== other.headers[name]) {
        return false;
      }
      fieldsLeft -= 1;
    }
  }
  return fieldsLeft === 0;
}
