import type { LogPosition, LoggedEvent } from '../event.ts';

/** Reads the log of a tenant after a place. */
export type ReadLog = (
  after: LogPosition,
  limit: number,
) => Promise<{ readonly events: readonly LoggedEvent[]; readonly end: LogPosition }>;

/** The most that a tail keeps of the log: a reader that is further behind reads for itself. */
const maxEvents = 100;
const maxBytes = 131_072;
/** About the size of an event without its data. */
const eventBytes = 500;

/**
 * The end of a tenant's log as it grows: one reading for all readers that are there. It keeps the last events for those
 * that are a little behind, so that a slow reader costs nothing.
 */
export class EventTail {
  readonly #read: ReadLog;
  readonly #onFailure: (error: unknown) => void;
  /** In the order of the log, without gaps. */
  #events: LoggedEvent[] = [];
  #bytes = 0;
  #end: LogPosition;
  #isReading = false;
  #isStale = false;
  /** Called, once, when the log has grown. */
  readonly waiting = new Set<() => void>();
  /** The number of readers. */
  readers = 0;

  constructor(end: LogPosition, read: ReadLog, onFailure: (error: unknown) => void) {
    this.#end = end;
    this.#read = read;
    this.#onFailure = onFailure;
  }

  get end(): LogPosition {
    return this.#end;
  }

  /** True when it has all events after a place. */
  reachesTo({ position }: LogPosition): boolean {
    return position >= this.#start();
  }

  /** The events after a place that it reaches to. */
  after({ position }: LogPosition): readonly LoggedEvent[] {
    return this.#events.slice(Math.max(0, Number(position - this.#start())));
  }

  /** Reads what may have come: now, or again after the reading that is under way. */
  wake(): void {
    this.#isStale = true;
    if (!this.#isReading) {
      void this.#readOn();
    }
  }

  #start(): bigint {
    const [first] = this.#events;
    return first === undefined ? this.#end.position : first.at.position - 1n;
  }

  async #readOn(): Promise<void> {
    this.#isReading = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        const { events, end } = await this.#read(this.#end, maxEvents);
        this.#end = end;
        if (events.length > 0) {
          this.#isStale ||= events.length === maxEvents;
          this.#add(events);
        }
      }
    } catch (error) {
      this.#onFailure(error);
    } finally {
      this.#isReading = false;
    }
  }

  #add(events: readonly LoggedEvent[]): void {
    this.#events.push(...events);
    for (const event of events) {
      this.#bytes += bytesOf(event);
    }
    let dropped = 0;
    while (this.#events.length - dropped > maxEvents || this.#bytes > maxBytes) {
      const event = this.#events[dropped];
      if (event === undefined) {
        break;
      }
      this.#bytes -= bytesOf(event);
      dropped += 1;
    }
    this.#events.splice(0, dropped);
    const woken = [...this.waiting];
    this.waiting.clear();
    for (const wake of woken) {
      wake();
    }
  }
}

function bytesOf({ data }: LoggedEvent): number {
  return eventBytes + 2 * data.length;
}
