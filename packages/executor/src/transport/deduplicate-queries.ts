import { createSingleFlight } from './single-flight.ts';
import type { SubgraphResponse, SubgraphRequest, SubgraphTransport } from './subgraph-transport.ts';

export interface DeduplicationOptions {
  /** True for the subgraphs whose queries are deduplicated. Default: all. */
  readonly isDeduplicated?: (subgraph: string) => boolean;
}

/** Header fields that say where a request comes from, and never affect its rights. W3C Trace Context. */
const traceFields: ReadonlySet<string> = new Set(['traceparent', 'tracestate']);

/**
 * Sends equal queries that are in flight at the same time once, also across runs. Equal means the same
 * subgraph, body and header fields, byte for byte. That includes everything on which a subgraph can base its
 * authorization. A deduplicated request belongs to the trace of the request that caused it.
 */
export function deduplicateQueries(
  transport: SubgraphTransport,
  { isDeduplicated = () => true }: DeduplicationOptions = {},
): SubgraphTransport {
  const singleFlight = createSingleFlight<SubgraphRequest, SubgraphResponse>(isEqual);
  return {
    send: (request) =>
      request.operationKind === 'query' && isDeduplicated(request.subgraph)
        ? singleFlight.join(request.body, request, request.signal, (signal) =>
            transport.send({ ...request, signal }),
          )
        : transport.send(request),
  };
}

/**
 * True when two requests with the same body are equal. Requests of many callers are compared, and mostly differ in
 * their first fields.
 */
function isEqual(one: SubgraphRequest, other: SubgraphRequest): boolean {
  if (one.subgraph !== other.subgraph) {
    return false;
  }
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
