// The log of events in PostgreSQL, to read.
import type { Database, StopSignal } from '@meridian/database';

import { startOfLog } from './event-cursors.ts';
import type { EventFilter, LogPosition, LoggedEvent } from './event.ts';

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

interface EventRow {
  log_position: bigint;
  period: number;
  /** Null in the last row, which has the position to go on from. */
  id: string | null;
  type: string;
  subject: string;
  time: string;
  data: string;
  actor_issuer: string | null;
  actor_subject: string | null;
}

/** The database as the store uses it. */
export type EventStoreDatabase = Pick<Database, 'query' | 'asTenant' | 'knex'>;

export function createEventStore(database: EventStoreDatabase): EventStore {
  const store: EventStore = {
    async list(tenantId, { after, limit, type, subject }, signal) {
      const rows = await database.query<EventRow>(
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

function eventsOf(row: EventRow): LoggedEvent[] {
  const { id, type, subject, time, data, actor_issuer: issuer, actor_subject: actor } = row;
  return id === null
    ? []
    : [
        {
          id,
          type,
          subject,
          time,
          data,
          actor: issuer === null || actor === null ? null : { issuer, subject: actor },
          at: { position: row.log_position, period: row.period },
        },
      ];
}
