import { DeadlineQueue, StopController } from '@meridian/cancellation';
import type { BodyInParts } from '@meridian/http';
import { maxTimerMs } from '@meridian/settings/values';

import type { LogPosition, LoggedEvent } from './event.ts';
import type { EventReader } from './watch/event-reader.ts';

export interface EventStreamOptions {
  readonly reader: EventReader;
  /** The cursor of a place. */
  readonly cursorOf: (at: LogPosition) => string;
  /** The event as JSON, without line breaks. */
  readonly jsonOf: (event: LoggedEvent) => string;
  /** Of the token, in milliseconds since 1970. */
  readonly expiresAtMs: number;
  /** True for a client that does not know where the stream begins: the place comes first, as an `id` without an event. */
  readonly namesStart: boolean;
}

/** Contract: Ledger and events, `GET /events`. */
const commentEveryMs = 15_000;
/** The time after which a client comes again: the process that it had may have stopped, with many others. */
const retryMs = 2000;
const maxEvents = 100;

const quiet = new DeadlineQueue(commentEveryMs);
const done: IteratorReturnResult<undefined> = { done: true, value: undefined };

/**
 * Events as a stream of server-sent events (WHATWG HTML, 9.2): the cursor as `id`, the event as `data`, and a comment
 * where nothing has come for 15 s. It has no end but the token's, or the reader's.
 */
export function eventStream({
  reader,
  cursorOf,
  jsonOf,
  expiresAtMs,
  namesStart,
}: EventStreamOptions): BodyInParts {
  // A little late, as timers may be early: the token has expired when a client comes again.
  const leftMs = Math.max(0, expiresAtMs - Date.now() + 10);
  const expiry = setTimeout(() => reader.close(), Math.min(leftMs, maxTimerMs)).unref();
  let hasBegun = false;
  let sentPosition = reader.position.position;
  const end = (): void => {
    clearTimeout(expiry);
    reader.close();
  };
  const nextPart = async (): Promise<string> => {
    const pause = new StopController();
    const deadline = quiet.start(() => pause.abort(undefined));
    const events = await reader.next(maxEvents, pause);
    quiet.end(deadline);
    const last = events.at(-1);
    if (last !== undefined) {
      sentPosition = last.at.position;
      return events.map((event) => `id: ${cursorOf(event.at)}\ndata: ${jsonOf(event)}\n\n`).join('');
    }
    const { position } = reader;
    if (position.position === sentPosition) {
      return ':\n\n';
    }
    // The events that the filter left out need not be passed again by a client that comes back.
    sentPosition = position.position;
    return `:\nid: ${cursorOf(position)}\n\n`;
  };
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        if (!hasBegun) {
          hasBegun = true;
          const start = namesStart ? `id: ${cursorOf(reader.position)}\n` : '';
          return { done: false, value: `retry: ${retryMs}\n${start}\n` };
        }
        const value = await nextPart();
        if (reader.isClosed) {
          end();
          return done;
        }
        return { done: false, value };
      },
      async return() {
        end();
        return await Promise.resolve(done);
      },
    }),
  };
}
