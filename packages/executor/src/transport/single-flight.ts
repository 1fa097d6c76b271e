import type { StopSignal } from '@meridian/cancellation';
import { StopController } from '@meridian/cancellation';

import { FlightTable } from './flight-table.ts';
import type { Flight } from './flight-table.ts';

/** Work that is done once for all callers that need it at the same time. */
export interface SingleFlight<Asked, Result> {
  /**
   * Joins equal work that is under way, or starts it. Rejects with the signal's reason once that has aborted.
   * The work is stopped, by its own signal, when the last caller has abandoned it.
   *
   * @param key a part of the input: inputs with different keys differ, and are not compared
   */
  join(
    key: string,
    asked: Asked,
    signal: StopSignal,
    start: (signal: StopSignal) => Promise<Result>,
  ): Promise<Result>;
}

/** @param isSame whether two that have the same key are the same */
export function createSingleFlight<Asked, Result>(
  isSame: (one: Asked, other: Asked) => boolean,
): SingleFlight<Asked, Result> {
  const flights = new FlightTable<Asked, SharedCall<Asked, Result>>(isSame);
  return {
    join(key, asked, signal, start) {
      if (signal.aborted) {
        return Promise.reject(signal.reason);
      }
      const call = flights.find(key, asked) ?? new SharedCall(flights, { key, asked, start });
      return call.join(signal);
    },
  };
}

/** A call that several callers wait for. It is stopped when the last one has left. */
class SharedCall<Asked, Result> {
  readonly #flights: FlightTable<Asked, SharedCall<Asked, Result>>;
  readonly #stop = new StopController();
  #flight: Flight<Asked, SharedCall<Asked, Result>> | undefined;
  #waiting: Waiting<Result>[] = [];

  /** Starts it, and enters it until it ends or all have left: no caller may join it afterwards. */
  constructor(
    flights: FlightTable<Asked, SharedCall<Asked, Result>>,
    { key, asked, start }: StartedCall<Asked, Result>,
  ) {
    const result = start(this.#stop);
    this.#flights = flights;
    this.#flight = flights.add(key, asked, this);
    result.then(
      (response) => this.#end().forEach(({ resolve }) => resolve(response)),
      (error: unknown) => this.#end().forEach(({ reject }) => reject(error)),
    );
  }

  /** Waits for its end. Rejects with the signal's reason once that has aborted. */
  join(signal: StopSignal): Promise<Result> {
    return new Promise((resolve, reject) => {
      const one: Waiting<Result> = { signal, resolve, reject, abandon: () => this.#abandon(one) };
      this.#waiting.push(one);
      signal.addEventListener('abort', one.abandon);
    });
  }

  /** Lets no further caller join. Returns those who wait. */
  #end(): readonly Waiting<Result>[] {
    this.#leaveTable();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { signal, abandon } of waiting) {
      signal.removeEventListener('abort', abandon);
    }
    return waiting;
  }

  #abandon(one: Waiting<Result>): void {
    const { reason } = one.signal;
    one.reject(reason);
    this.#waiting = this.#waiting.filter((other) => other !== one);
    if (this.#waiting.length === 0) {
      // The next caller must not join a call that is being stopped.
      this.#leaveTable();
      this.#stop.abort(reason);
    }
  }

  #leaveTable(): void {
    if (this.#flight !== undefined) {
      this.#flights.remove(this.#flight);
      this.#flight = undefined;
    }
  }
}

interface StartedCall<Asked, Result> {
  readonly key: string;
  readonly asked: Asked;
  readonly start: (signal: StopSignal) => Promise<Result>;
}

interface Waiting<Result> {
  readonly signal: StopSignal;
  readonly resolve: (response: Result) => void;
  readonly reject: (reason: unknown) => void;
  readonly abandon: () => void;
}
