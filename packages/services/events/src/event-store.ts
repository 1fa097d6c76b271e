// The log of events in PostgreSQL, to read.
import type { StopSignal } from '@meridian/database';
import type { Statements } from '@meridian/rest';

import type { Event, EventFilter, LogPosition } from './event.ts';

export interface EventStore {
  /**
   * At most `limit` events after a position, oldest first; and the position to go on from, which misses no event that is
   * committed later.
   */
  readonly list: (
    tenantId: string,
    page: EventFilter & { readonly after: LogPosition; readonly limit: number },
    signal: StopSignal,
  ) => Promise<{ readonly events: readonly Event[]; readonly end: LogPosition }>;
}

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

export function createEventStore(statements: Statements): EventStore {
  return {
    async list(tenantId, { after, limit, type, subject }, signal) {
      const rows = await statements.query<EventRow>(
        'select * from list_events($1, $2, $3, $4, $5, $6)',
        [tenantId, after.position, after.period, limit, type ?? null, subject ?? null],
        { tenantId, signal },
      );
      const end = rows.at(-1);
      if (end === undefined) {
        throw new Error('list_events returned no position');
      }
      return { events: rows.flatMap(eventsOf), end: { position: end.log_position, period: end.period } };
    },
  };
}

function eventsOf(row: EventRow): Event[] {
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
        },
      ];
}
