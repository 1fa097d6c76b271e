/** An entry of a `FlightTable`. */
export interface Flight<Asked, Call> {
  /** Undefined once it is removed. */
  entry: { readonly asked: Asked; readonly call: Call } | undefined;
  /** The next one with the same key. */
  next: Flight<Asked, Call> | undefined;
}

/** The number of removed entries that a table holds, beside as many as it has live ones. */
const mostRemoved = 64;

/**
 * The calls under way, by a key and a comparison.
 *
 * Removed entries are emptied, and stay until the whole map is replaced. To delete each from a `Map` would keep every
 * call in memory until the next collection of the whole heap, for the reason that `DeadlineQueue` has.
 */
export class FlightTable<Asked, Call> {
  readonly #isSame: (one: Asked, other: Asked) => boolean;
  #byKey = new Map<string, Flight<Asked, Call>>();
  #live = 0;
  #removed = 0;

  constructor(isSame: (one: Asked, other: Asked) => boolean) {
    this.#isSame = isSame;
  }

  find(key: string, asked: Asked): Call | undefined {
    for (let flight = this.#byKey.get(key); flight !== undefined; flight = flight.next) {
      const { entry } = flight;
      if (entry !== undefined && this.#isSame(entry.asked, asked)) {
        return entry.call;
      }
    }
    return undefined;
  }

  add(key: string, asked: Asked, call: Call): Flight<Asked, Call> {
    if (this.#removed > mostRemoved + this.#live) {
      this.#dropRemoved();
    }
    const flight: Flight<Asked, Call> = { entry: { asked, call }, next: this.#byKey.get(key) };
    this.#byKey.set(key, flight);
    this.#live += 1;
    return flight;
  }

  /** Removes an entry that is in the table. */
  remove(flight: Flight<Asked, Call>): void {
    flight.entry = undefined;
    this.#live -= 1;
    this.#removed += 1;
  }

  #dropRemoved(): void {
    const live = new Map<string, Flight<Asked, Call>>();
    for (const [key, first] of this.#byKey) {
      let flight: Flight<Asked, Call> | undefined = first;
      while (flight !== undefined) {
        const { next }: Flight<Asked, Call> = flight;
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
