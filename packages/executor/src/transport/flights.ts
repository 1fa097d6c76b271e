import { Flight } from './flight.ts';

/** Work that several wait for at once, by key. */
export interface Flights<Answer> {
  /**
   * Waits for the work of this key that is under way, or starts it. Rejects with the signal's reason once that has aborted. The
   * work is stopped, by its own signal, when nobody waits for it any more.
   */
  board(key: string, signal: AbortSignal, start: (signal: AbortSignal) => Promise<Answer>): Promise<Answer>;
}

export function createFlights<Answer>(): Flights<Answer> {
  const flights = new Map<string, Flight<Answer>>();

  const takeOff = (key: string, start: (signal: AbortSignal) => Promise<Answer>): Flight<Answer> => {
    const flight: Flight<Answer> = new Flight(start, () => {
      // Where it was left by all and stopped, another may be on its way by now.
      if (flights.get(key) === flight) {
        flights.delete(key);
      }
    });
    flights.set(key, flight);
    return flight;
  };

  return {
    async board(key, signal, start) {
      signal.throwIfAborted();
      return await (flights.get(key) ?? takeOff(key, start)).board(signal);
    },
  };
}
