import type { SubgraphAnswer, SubgraphRequest, SubgraphTransport } from './subgraph-transport.ts';

/** A request that is on its way, and how many wait for it. */
interface Flight {
  readonly answer: Promise<SubgraphAnswer>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Sends equal queries that are in flight at the same time once, also those of different runs. Equal means the same subgraph,
 * body and header fields, byte for byte: with everything that a subgraph can base its authorization on. The request is stopped
 * when nobody waits for it any more.
 */
export function shareInFlight(transport: SubgraphTransport): SubgraphTransport {
  const flights = new Map<string, Flight>();

  const takeOff = (key: string, request: SubgraphRequest): Flight => {
    const controller = new AbortController();
    const answer = transport.send({ ...request, signal: controller.signal }).finally(() => land(key, flight));
    const flight: Flight = { answer, controller, waiting: 0 };
    flights.set(key, flight);
    return flight;
  };
  const land = (key: string, flight: Flight): void => {
    // Where it was left by all and stopped, another may be on its way by now.
    if (flights.get(key) === flight) {
      flights.delete(key);
    }
  };

  return {
    async send(request) {
      if (request.operationKind === 'mutation') {
        return await transport.send(request);
      }
      const { signal } = request;
      signal.throwIfAborted();
      const key = keyOf(request);
      const flight = flights.get(key) ?? takeOff(key, request);
      flight.waiting += 1;
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      const leave = (): void => {
        reject(signal.reason);
        flight.waiting -= 1;
        if (flight.waiting === 0) {
          // Whoever comes next must not board what is being stopped.
          flights.delete(key);
          flight.controller.abort(signal.reason);
        }
      };
      signal.addEventListener('abort', leave);
      try {
        return await Promise.race([flight.answer, aborted]);
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
  };
}

function keyOf({ subgraph, headers, body }: SubgraphRequest): string {
  const fields = Object.entries(headers).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return JSON.stringify([subgraph, fields, body]);
}
