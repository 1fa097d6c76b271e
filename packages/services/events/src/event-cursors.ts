import { problem } from '@meridian/problem-details';
import { filterText } from '@meridian/rest';
import type { CursorScope, Cursors } from '@meridian/rest';

import type { EventFilter, LogPosition } from './event.ts';

/** Positions in a tenant's log as cursors, which are valid for the same filter only. */
export interface EventCursors {
  seal(tenantId: string, filter: EventFilter, end: LogPosition): string;
  /**
   * The position of a cursor; without one, the oldest that the log may have.
   *
   * @throws {Problem} `invalid-cursor`; `cursor-expired` where the log does not go back to it
   */
  open(tenantId: string, filter: EventFilter, cursor: string | undefined): LogPosition;
}

/** The log has these ten days and the three before. */
const keptPeriods = 3;

export function createEventCursors(cursors: Cursors): EventCursors {
  return {
    seal: (tenantId, filter, { position, period }) =>
      cursors.seal(scopeOf(tenantId, filter), [String(position), String(period)]),
    open(tenantId, filter, cursor) {
      const start = startOfLog();
      if (cursor === undefined) {
        return start;
      }
      const [position = '', period = ''] = cursors.open(scopeOf(tenantId, filter), cursor);
      if (Number(period) < start.period) {
        throw problem('cursor-expired', 'The log does not go back to the place of this cursor any more.');
      }
      return { position: BigInt(position), period: Number(period) };
    },
  };
}

/** The oldest place that the log may have. */
export function startOfLog(): LogPosition {
  return { position: 0n, period: Math.floor(Date.now() / 864_000_000) - keptPeriods };
}

function scopeOf(tenantId: string, { type, subject }: EventFilter): CursorScope {
  return { tenantId, collection: '/events', filter: filterText({ type, subject }) };
}
