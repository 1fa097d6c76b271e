// The log of events in PostgreSQL, to read.
import type { Database, StopSignal } from '@meridian/database';

import { startOfLog } from './event-cursors.ts';
import type { Event, EventFilter, LogPosition, LoggedEvent } from './event.ts';

export interface EventStore {
  /**
   * At most `limit` events after a position, oldest first; and the position to go on from, which misses no event that is
   * committed later.
   */
  readonly list: (
    tenantId: string,
    page: EventFilter & { readonly after: LogPosition; readonly limit: number },
    signal: StopSignal,
  ) => Promise<{ readonly events: readonly LoggedEvent[]; readonly end: LogPosition }>;
  /** The place after all events that are committed. */
  readonly end: (tenantId: string, signal: StopSignal) => Promise<LogPosition>;
}

/** A type that no event has. */
const noType = '';

/** The columns of an event, besides its identifier. */
export interface EventRow {
  readonly type: string;
  readonly subject: string;
  readonly time: string;
  readonly data: string;
  readonly actor_issuer: string | null;
  readonly actor_subject: string | null;
}

interface LoggedRow extends EventRow {
  readonly log_position: bigint;
  readonly period: number;
  /** Null in the last row, which has the position to go on from. */
  readonly id: string | null;
}

/** The database as the store uses it. */
export type EventStoreDatabase = Pick<Database, 'query' | 'asTenant' | 'knex'>;

export function createEventStore(database: EventStoreDatabase): EventStore {
  const store: EventStore = {
    async list(tenantId, { after, limit, type, subject }, signal) {
      const rows = await database.query<LoggedRow>(
        'select * from list_events($1, $2, $3, $4, $5, $6)',
        [tenantId, after.position, after.period, limit, type ?? null, subject ?? null],
        // It moves events into the log, but readers see the same before and after, and sent again, it goes on.
        { tenantId, signal, readOnly: true },
      );
      const end = rows.at(-1);
      if (end === undefined) {
        throw new Error('list_events returned no position');
      }
      return { events: rows.flatMap(eventsOf), end: { position: end.log_position, period: end.period } };
    },
    async end(tenantId, signal) {
      const [head = startOfLog()] = await database.asTenant<LogPosition>(
        tenantId,
        database.knex('event_heads').select('position', 'period').where({ tenant_id: tenantId }),
        { signal },
      );
      for (let after = head; ;) {
        // Moves what has been committed into the log, and passes it.
        const { end } = await store.list(tenantId, { after, limit: 1, type: noType }, signal);
        if (end.position === after.position) {
          return end;
        }
        after = end;
      }
    },
  };
  return store;
}

function eventsOf(row: LoggedRow): LoggedEvent[] {
  const { id, log_position: position, period } = row;
  return id === null ? [] : [{ ...eventOf(id, row), at: { position, period } }];
}

export function eventOf(id: string, row: EventRow): Event {
  const { type, subject, time, data, actor_issuer: issuer, actor_subject: actor } = row;
  return {
    id,
    type,
    subject,
    time,
    data,
    actor: issuer === null || actor === null ? null : { issuer, subject: actor },
  };
}
