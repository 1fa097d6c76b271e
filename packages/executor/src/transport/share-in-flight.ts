import { createFlights } from './flights.ts';
import type { SubgraphAnswer, SubgraphRequest, SubgraphTransport } from './subgraph-transport.ts';

export interface SharingOptions {
  /** The subgraphs whose queries are shared; all unless told. */
  readonly isShared?: (subgraph: string) => boolean;
}

/** What says where a request comes from, and never what it may see. W3C Trace Context. */
const traceFields: ReadonlySet<string> = new Set(['traceparent', 'tracestate']);

/**
 * Sends equal queries that are in flight at the same time once, also those of different runs. Equal means the same subgraph,
 * body and header fields, byte for byte: with everything that a subgraph can base its authorization on. A shared request
 * belongs to the trace of the one that it was sent for.
 */
export function shareInFlight(
  transport: SubgraphTransport,
  { isShared = () => true }: SharingOptions = {},
): SubgraphTransport {
  const flights = createFlights<SubgraphAnswer>();
  return {
    async send(request) {
      return request.operationKind === 'query' && isShared(request.subgraph)
        ? await flights.board(
            keyOf(request),
            request.signal,
            async (signal) => await transport.send({ ...request, signal }),
          )
        : await transport.send(request);
    },
  };
}

function keyOf({ subgraph, headers, body }: SubgraphRequest): string {
  const names = Object.keys(headers).filter((name) => !traceFields.has(name));
  const parts = [subgraph];
  for (const name of names.toSorted()) {
    parts.push(name, headers[name] ?? '');
  }
  // The end of what is before the body cannot be mistaken, so that the body, which may be long, stays as it is.
  return JSON.stringify(parts) + body;
}
