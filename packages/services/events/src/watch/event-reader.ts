import { StopController } from '@meridian/cancellation';
import type { StopSignal } from '@meridian/cancellation';

import type { EventFilter, LogPosition, LoggedEvent } from '../event.ts';
import type { EventTail } from './event-tail.ts';

/** The parts that a reader shares with all others of its tenant in the process. */
export interface ReaderHost {
  /** Reads the log, in turn with other readers. */
  readonly read: (
    page: EventFilter & { readonly after: LogPosition; readonly limit: number },
    signal: StopSignal,
  ) => Promise<{ readonly events: readonly LoggedEvent[]; readonly end: LogPosition }>;
  /** The end of the log, where it is read already. */
  readonly tail: () => EventTail | undefined;
  /** Begins to read the end of the log as it grows. */
  readonly startTail: (at: LogPosition) => EventTail;
  /** Called when a reader of the tail has left. */
  readonly leaveTail: (tail: EventTail) => void;
  readonly onClose: (reader: EventReader) => void;
  readonly onFailure: (error: unknown) => void;
}

export interface ReaderOptions {
  readonly filter: EventFilter;
  readonly after: LogPosition;
  /** True for a reader that goes on when the store fails, and tries again. */
  readonly isSteady: boolean;
}

/** The most events that are read at once. */
const pageSize = 100;
/** The events that one reading passes in any case, however few of them the filter lets through. */
const surelyPassed = 100n;
/** The time until the next attempt after a failure of the store. */
const retryMs = 1000;

/** A place in the log of a tenant that goes on as the log grows. */
export class EventReader {
  readonly #host: ReaderHost;
  readonly #options: ReaderOptions;
  /** Cancels what it reads. */
  readonly #closed = new StopController();
  #position: LogPosition;
  #tail: EventTail | undefined;
  /** Read, and not passed on yet, in their order: the position is after them. */
  #ready: readonly LoggedEvent[] = [];
  #isReading = false;
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => {};

  constructor(host: ReaderHost, options: ReaderOptions) {
    this.#host = host;
    this.#options = options;
    this.#position = options.after;
  }

  /** The place after all that was passed on, or filtered out. */
  get position(): LogPosition {
    const [first] = this.#ready;
    return first === undefined ? this.#position : { ...first.at, position: first.at.position - 1n };
  }

  /** True once it was closed: nothing more comes. */
  get isClosed(): boolean {
    return this.#closed.aborted;
  }

  /**
   * Resolves with the next events as soon as there is one; with none when the signal aborts, and once it is closed.
   *
   * @throws {unknown} the error of the store, when it is not steady
   */
  async next(limit: number, until: StopSignal): Promise<readonly LoggedEvent[]> {
    while (!until.aborted && !this.#closed.aborted) {
      if (this.#ready.length === 0) {
        this.#readTail();
      }
      if (this.#ready.length > 0) {
        const events = this.#ready.slice(0, limit);
        this.#ready = this.#ready.slice(limit);
        return events;
      }
      const failure = this.#failure;
      if (failure !== undefined) {
        this.#failure = undefined;
        throw failure.error;
      }
      await this.#pause(until);
    }
    return [];
  }

  close(): void {
    if (this.#closed.aborted) {
      return;
    }
    this.#closed.abort(new Error('the reader of events was closed'));
    if (this.#tail !== undefined) {
      this.#host.leaveTail(this.#tail);
    }
    this.#host.onClose(this);
    this.#wake();
  }

  /** Takes what the tail has. Where it does not reach to, the log itself is read. */
  #readTail(): void {
    if (this.#isReading) {
      return;
    }
    const tail = this.#host.tail();
    const position = this.#position;
    if (tail === undefined || !tail.reachesTo(position)) {
      this.#isReading = true;
      void this.#readLog();
      return;
    }
    this.#join(tail);
    const events = tail.after(position);
    this.#ready = events.filter((event) => isOf(event, this.#options.filter));
    if (position.position <= tail.end.position) {
      this.#position = tail.end;
    } else {
      // Another process has read further.
      tail.wake();
    }
  }

  #join(tail: EventTail): void {
    if (this.#tail === undefined) {
      this.#tail = tail;
      tail.readers += 1;
    }
  }

  async #readLog(): Promise<void> {
    try {
      const after = this.#position;
      const page = { ...this.#options.filter, after, limit: pageSize };
      const { events, end } = await this.#host.read(page, this.#closed);
      this.#ready = events;
      this.#position = end;
      if (events.length < pageSize && end.position - after.position < surelyPassed) {
        // It ended where the log does.
        this.#startTail(end);
      }
    } catch (error) {
      await this.#onFailure(error);
    } finally {
      this.#isReading = false;
      this.#wake();
    }
  }

  #startTail(at: LogPosition): void {
    if (!this.#closed.aborted && this.#host.tail() === undefined) {
      this.#join(this.#host.startTail(at));
    }
  }

  async #onFailure(error: unknown): Promise<void> {
    if (this.#closed.aborted) {
      return;
    }
    if (!this.#options.isSteady) {
      this.#failure = { error };
      return;
    }
    this.#host.onFailure(error);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, retryMs).unref();
      this.#closed.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  /** Resolves when there may be something new: in the tail, from the log, or by its end. */
  async #pause(until: StopSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const tail = this.#isReading ? undefined : this.#tail;
    this.#wake = resolve;
    until.addEventListener('abort', resolve);
    tail?.waiting.add(resolve);
    await promise;
    until.removeEventListener('abort', resolve);
    tail?.waiting.delete(resolve);
  }
}

function isOf(event: LoggedEvent, { type, subject }: EventFilter): boolean {
  return (type === undefined || event.type === type) && (subject === undefined || event.subject === subject);
}
