import type { StopSignal } from '@meridian/cancellation';
import { StopController } from '@meridian/cancellation';

/** Work that is done once for all callers that need it at the same time. */
export interface SingleFlight<Input, Result> {
  /**
   * Joins equal work that is under way, or starts it. Rejects with the signal's reason once that has aborted.
   * The work is stopped, by its own signal, when the last caller has abandoned it.
   *
   * @param key a part of the input: inputs with different keys differ, and are not compared
   */
  join(
    key: string,
    input: Input,
    signal: StopSignal,
    start: (signal: StopSignal) => Promise<Result>,
  ): Promise<Result>;
}

/** @param isSame whether two that have the same key are the same */
export function createSingleFlight<Input, Result>(
  isSame: (one: Input, other: Input) => boolean,
): SingleFlight<Input, Result> {
  const flights = new FlightTable<Input, SharedCall<Input, Result>>(isSame);
  return {
    join(key, input, signal, start) {
      if (signal.aborted) {
        return Promise.reject(signal.reason);
      }
      const call = flights.find(key, input) ?? new SharedCall(flights, { key, input, start });
      return call.join(signal);
    },
  };
}

/** A call that several callers wait for. It is stopped when the last one has left. */
class SharedCall<Input, Result> {
  readonly #flights: FlightTable<Input, SharedCall<Input, Result>>;
  readonly #stop = new StopController();
  #flight: Flight<Input, SharedCall<Input, Result>> | undefined;
  #waiting: Waiting<Result>[] = [];

  /** Starts it, and enters it until it ends or all have left: no caller may join it afterwards. */
  constructor(
    flights: FlightTable<Input, SharedCall<Input, Result>>,
    { key, input, start }: StartedCall<Input, Result>,
  ) {
    const result = start(this.#stop);
    this.#flights = flights;
    this.#flight = flights.add(key, input, this);
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

interface StartedCall<Input, Result> {
  readonly key: string;
  readonly input: Input;
  readonly start: (signal: StopSignal) => Promise<Result>;
}

interface Waiting<Result> {
  readonly signal: StopSignal;
  readonly resolve: (response: Result) => void;
  readonly reject: (reason: unknown) => void;
  readonly abandon: () => void;
}

/** An entry of a `FlightTable`. */
interface Flight<Input, Call> {
  /** Undefined once it is removed. */
  entry: { readonly input: Input; readonly call: Call } | undefined;
  /** The next one with the same key. */
  next: Flight<Input, Call> | undefined;
}

/** The maximum of removed entries in a table, beside as many as it has live ones. */
const maxRemoved = 64;

/**
 * The calls under way, by a key and a comparison.
 *
 * Removed entries are emptied, and stay until the whole map is replaced. To delete each from a `Map` would keep every
 * call in memory until the next collection of the whole heap, for the reason that `DeadlineQueue` has.
 */
class FlightTable<Input, Call> {
  readonly #isSame: (one: Input, other: Input) => boolean;
  #byKey = new Map<string, Flight<Input, Call>>();
  #live = 0;
  #removed = 0;

  constructor(isSame: (one: Input, other: Input) => boolean) {
    this.#isSame = isSame;
  }

  find(key: string, input: Input): Call | undefined {
    for (let flight = this.#byKey.get(key); flight !== undefined; flight = flight.next) {
      const { entry } = flight;
      if (entry !== undefined && this.#isSame(entry.input, input)) {
        return entry.call;
      }
    }
    return undefined;
  }

  add(key: string, input: Input, call: Call): Flight<Input, Call> {
    if (this.#removed > maxRemoved + this.#live) {
      this.#dropRemoved();
    }
    const flight: Flight<Input, Call> = { entry: { input, call }, next: this.#byKey.get(key) };
    this.#byKey.set(key, flight);
    this.#live += 1;
    return flight;
  }

  /** Removes an entry that is in the table. */
  remove(flight: Flight<Input, Call>): void {
    flight.entry = undefined;
    this.#live -= 1;
    this.#removed += 1;
  }

  #dropRemoved(): void {
    const live = new Map<string, Flight<Input, Call>>();
    for (const [key, first] of this.#byKey) {
      let flight: Flight<Input, Call> | undefined = first;
      while (flight !== undefined) {
        const { next }: Flight<Input, Call> = flight;
        if (flight.entry !== undefined) {
          flight.next = live.get(key);
          live.set(key, flight);
        }
        flight = next;
      }
    }
    this.#byKey = live;
    this.#removed = 0;
  }
}
