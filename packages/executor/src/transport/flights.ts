/** Work that several wait for at once. */
export interface Flights<Answer> {
  /**
   * Waits for the work of this key that is under way, or starts it. Rejects with the signal's reason once that has aborted. The
   * work is stopped, by its own signal, when nobody waits for it any more.
   */
  board(key: string, signal: AbortSignal, start: (signal: AbortSignal) => Promise<Answer>): Promise<Answer>;
}

interface Flight<Answer> {
  readonly answer: Promise<Answer>;
  readonly controller: AbortController;
  waiting: number;
}

export function createFlights<Answer>(): Flights<Answer> {
  const flights = new Map<string, Flight<Answer>>();

  const takeOff = (key: string, start: (signal: AbortSignal) => Promise<Answer>): Flight<Answer> => {
    const controller = new AbortController();
    const answer = start(controller.signal).finally(() => land(key, flight));
    const flight: Flight<Answer> = { answer, controller, waiting: 0 };
    flights.set(key, flight);
    return flight;
  };
  const land = (key: string, flight: Flight<Answer>): void => {
    // Where it was left by all and stopped, another may be on its way by now.
    if (flights.get(key) === flight) {
      flights.delete(key);
    }
  };

  return {
    async board(key, signal, start) {
      signal.throwIfAborted();
      const flight = flights.get(key) ?? takeOff(key, start);
      flight.waiting += 1;
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      flight.answer.then(resolve, reject);
      const leave = (): void => {
        reject(signal.reason);
        flight.waiting -= 1;
        if (flight.waiting === 0) {
          // Whoever comes next must not board what is being stopped.
          land(key, flight);
          flight.controller.abort(signal.reason);
        }
      };
      signal.addEventListener('abort', leave);
      try {
        return await promise;
      } finally {
        signal.removeEventListener('abort', leave);
      }
    },
  };
}
