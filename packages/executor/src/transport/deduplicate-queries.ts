import { createSingleFlight } from './single-flight.ts';
import type { SubgraphResponse, SubgraphRequest, SubgraphTransport } from './subgraph-transport.ts';

export interface DeduplicationOptions {
  /** The subgraphs whose queries are shared; all unless told. */
  readonly isDeduplicated?: (subgraph: string) => boolean;
}

/** What says where a request comes from, and never what it may see. W3C Trace Context. */
const traceFields: ReadonlySet<string> = new Set(['traceparent', 'tracestate']);

/**
 * Sends equal queries that are in flight at the same time once, also those of different runs. Equal means the same subgraph,
 * body and header fields, byte for byte: with everything that a subgraph can base its authorization on. A shared request
 * belongs to the trace of the one that it was sent for.
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

/** Whether two requests with the same body are the same. */
function isEqual(one: SubgraphRequest, other: SubgraphRequest): boolean {
  if (one.subgraph !== other.subgraph) {
    return false;
  }
  const names = fieldNames(one);
  return (
    names.length === fieldNames(other).length &&
    names.every((name) => one.headers[name] === other.headers[name])
  );
}

function fieldNames({ headers }: SubgraphRequest): readonly string[] {
  return Object.keys(headers).filter((name) => !traceFields.has(name));
}
