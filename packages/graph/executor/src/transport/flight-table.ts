/** An entry of a `FlightTable`. */
export interface Flight<Input, Call> {
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
export class FlightTable<Input, Call> {
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
