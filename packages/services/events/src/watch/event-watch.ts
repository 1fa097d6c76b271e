import type { StopSignal } from '@meridian/cancellation';
import { createFairQueue } from '@meridian/database';
import type { Logger } from '@meridian/telemetry';

import type { Changes } from '../changes/changes.ts';
import type { EventFilter, LogPosition, LoggedEvent } from '../event.ts';
import type { EventStore } from '../event-store.ts';
import { EventReader } from './event-reader.ts';
import type { ReaderOptions } from './event-reader.ts';
import { EventTail } from './event-tail.ts';

/** Reads the logs of tenants while they grow, for all readers of a process together. */
export interface EventWatch {
  /** The caller closes it. */
  reader(tenantId: string, options: ReaderOptions): EventReader;
  /**
   * The events of a tenant after a place, as they come. It goes on when the store fails, and ends when
   * the signal aborts, and when the service stops. Its `return` ends it at once, also while the next event is awaited.
   */
  watch(
    tenantId: string,
    from: EventFilter & { readonly after: LogPosition },
    signal: StopSignal,
  ): AsyncIterableIterator<LoggedEvent>;
}

export interface EventWatchOptions {
  readonly store: EventStore;
  readonly changes: Changes;
  /** Ends all readers. */
  readonly stopping: StopSignal;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** The most readings of logs at a time, and of one tenant's: of ten connections. */
const maxReadings = 4;
const maxReadingsOfTenant = 2;
/** The time from one look at a log to the next, which finds expired holds, and what no news came of. */
const lookEveryMs = 2000;
const lookEveryMsWithoutNews = 1000;

export function createEventWatch({ store, changes, stopping, logger }: EventWatchOptions): EventWatch {
  const tails = new Map<string, EventTail>();
  const readers = new Set<EventReader>();
  const turns = createFairQueue(maxReadings, maxReadingsOfTenant);
  let isListening = false;
  let isFailing = false;
  let timer: NodeJS.Timeout | undefined;

  const inTurn = async <Result>(
    tenantId: string,
    signal: StopSignal,
    read: () => Promise<Result>,
  ): Promise<Result> => {
    const turn = await turns.take(tenantId);
    try {
      signal.throwIfAborted();
      const result = await read();
      if (isFailing) {
        isFailing = false;
        logger.info('the logs of events can be read again');
      }
      return result;
    } finally {
      turns.release(turn);
    }
  };
  const onFailure = (error: unknown): void => {
    if (!isFailing && !stopping.aborted) {
      isFailing = true;
      logger.warn(
        { err: error },
        'the logs of events cannot be read for now; those who wait for events go on waiting',
      );
    }
  };
  const look = (): void => {
    timer = undefined;
    for (const tail of tails.values()) {
      tail.wake();
    }
    lookLater();
  };
  const lookLater = (): void => {
    if (tails.size > 0) {
      timer ??= setTimeout(look, changes.isHearing ? lookEveryMs : lookEveryMsWithoutNews).unref();
    }
  };
  const startTail = (tenantId: string, at: LogPosition): EventTail => {
    const tail = new EventTail(
      at,
      (after, limit) => inTurn(tenantId, stopping, () => store.list(tenantId, { after, limit }, stopping)),
      onFailure,
    );
    tails.set(tenantId, tail);
    lookLater();
    // Finds the events since the reading that found this end.
    tail.wake();
    return tail;
  };
  const onNews = (tenantIds: readonly string[] | undefined): void => {
    for (const tenantId of tenantIds ?? tails.keys()) {
      tails.get(tenantId)?.wake();
    }
  };
  stopping.addEventListener('abort', () => {
    clearTimeout(timer);
    changes.stopListening();
    for (const reader of readers) {
      reader.close();
    }
  });

  const openReader: EventWatch['reader'] = (tenantId, options) => {
    if (!isListening) {
      isListening = true;
      changes.listen(onNews);
    }
    const reader = new EventReader(
      {
        read: (page, signal) => inTurn(tenantId, signal, () => store.list(tenantId, page, signal)),
        tail: () => tails.get(tenantId),
        startTail: (at) => startTail(tenantId, at),
        leaveTail(tail) {
          tail.readers -= 1;
          if (tail.readers === 0 && tails.get(tenantId) === tail) {
            tails.delete(tenantId);
          }
        },
        onClose: (closed) => void readers.delete(closed),
        onFailure,
      },
      options,
    );
    readers.add(reader);
    if (stopping.aborted) {
      reader.close();
    }
    return reader;
  };

  return {
    reader: openReader,
    watch(tenantId, { after, ...filter }, signal) {
      const reader = openReader(tenantId, { filter, after, isSteady: true });
      const close = (): void => reader.close();
      const done: IteratorReturnResult<undefined> = { done: true, value: undefined };
      if (signal.aborted) {
        close();
      } else {
        signal.addEventListener('abort', close);
      }
      const end = (): typeof done => {
        signal.removeEventListener('abort', close);
        close();
        return done;
      };
      return {
        [Symbol.asyncIterator]() {
          return this;
        },
        async next() {
          const [event] = await reader.next(1, signal);
          return event === undefined ? end() : { done: false, value: event };
        },
        return: async () => await Promise.resolve(end()),
      };
    },
  };
}
