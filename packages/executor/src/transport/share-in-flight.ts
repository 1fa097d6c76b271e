import { Flight } from './flight.ts';
import type { SubgraphAnswer, SubgraphRequest, SubgraphTransport } from './subgraph-transport.ts';

export interface SharingOptions {
  /** The subgraphs whose queries are shared; all unless told. */
  readonly isShared?: (subgraph: string) => boolean;
}

/** A request that is under way. */
interface Shared {
  readonly request: SubgraphRequest;
  readonly flight: Flight<SubgraphAnswer>;
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
  // By their bodies: where no other has the same, and that is the rule, nothing else has to be looked at.
  const underWay = new Map<string, readonly Shared[]>();

  const takeOff = (request: SubgraphRequest): Flight<SubgraphAnswer> => {
    const { body } = request;
    const flight = new Flight(
      (signal) => transport.send({ ...request, signal }),
      () => land(shared),
    );
    const shared: Shared = { request, flight };
    underWay.set(body, [...(underWay.get(body) ?? []), shared]);
    return flight;
  };
  const land = (shared: Shared): void => {
    const { body } = shared.request;
    const others = underWay.get(body)?.filter((one) => one !== shared) ?? [];
    if (others.length > 0) {
      underWay.set(body, others);
    } else {
      underWay.delete(body);
    }
  };

  return {
    send(request) {
      if (request.operationKind !== 'query' || !isShared(request.subgraph)) {
        return transport.send(request);
      }
      if (request.signal.aborted) {
        return Promise.reject(request.signal.reason);
      }
      const same = underWay.get(request.body)?.find((one) => isEqual(one.request, request));
      return (same?.flight ?? takeOff(request)).board(request.signal);
    },
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
