import type { StopSignal } from '@meridian/cancellation';

import type { EventCursors } from '../event-cursors.ts';
import type { EventStore } from '../event-store.ts';
import type { EventFilter, LoggedEvent } from '../event.ts';
import type { EventWatch } from './event-watch.ts';

export interface FollowFrom<Value> {
  /** The cursor of the last event that the subscriber has; absent for the events from now on. */
  readonly resumeAfter?: string | undefined;
  readonly signal: StopSignal;
  /** The value of an event for the subscriber; undefined for an event that is not for it. */
  readonly valueOf: (event: LoggedEvent) => Value | undefined;
}

/** The events of a tenant for one subscriber, with their cursors. */
export interface FollowedLog<Value> extends AsyncIterable<{
  readonly value: Value;
  readonly cursor: string;
}> {
  /** The place at which they begin. */
  readonly cursor: string;
}

/** Opens the log of a tenant for one subscriber. */
export type FollowLog = <Value>(
  tenantId: string,
  filter: EventFilter,
  from: FollowFrom<Value>,
) => Promise<FollowedLog<Value>>;

export interface FollowLogOptions {
  readonly store: EventStore;
  readonly watch: EventWatch;
  readonly cursors: EventCursors;
}

/**
 * Follows the log for subscriptions. The place to begin at is settled when the promise resolves: no event that is
 * committed later is missed. It rejects with the problems of `EventCursors.open`.
 */
export function createFollowLog({ store, watch, cursors }: FollowLogOptions): FollowLog {
  return async (tenantId, filter, { resumeAfter, signal, valueOf }) => {
    const after =
      resumeAfter === undefined
        ? await store.end(tenantId, signal)
        : cursors.open(tenantId, filter, resumeAfter);
    const events = watch.watch(tenantId, { ...filter, after }, signal);
    return {
      cursor: cursors.seal(tenantId, filter, after),
      async *[Symbol.asyncIterator]() {
        for await (const event of events) {
          const value = valueOf(event);
          if (value !== undefined) {
            yield { value, cursor: cursors.seal(tenantId, filter, event.at) };
          }
        }
      },
    };
  };
}
