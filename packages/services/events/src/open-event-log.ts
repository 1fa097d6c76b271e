import { createCursors } from '@meridian/rest';

import { openChanges } from './changes/open-changes.ts';
import type { ChangesOptions } from './changes/open-changes.ts';
import { createEventCursors } from './event-cursors.ts';
import { createEventStore } from './event-store.ts';
import type { EventStoreDatabase } from './event-store.ts';
import { createEventWatch } from './watch/event-watch.ts';
import type { EventWatchOptions } from './watch/event-watch.ts';
import { createFollowLog } from './watch/follow-log.ts';

export interface EventLogOptions
  extends Omit<ChangesOptions, 'database'>, Pick<EventWatchOptions, 'stopping' | 'logger'> {
  readonly database: ChangesOptions['database'] & EventStoreDatabase;
  /** The first seals cursors; all of them open cursors. */
  readonly cursorKeys: readonly string[];
}

/** The log of a service's events, to read, and to follow while it grows: once for a process. */
export function openEventLog({ cursorKeys, stopping, logger, ...options }: EventLogOptions) {
  const store = createEventStore(options.database);
  const changes = openChanges(options);
  const watch = createEventWatch({ store, changes, stopping, logger });
  const cursors = createEventCursors(createCursors({ keys: cursorKeys }));
  return { store, changes, watch, cursors, followLog: createFollowLog({ store, watch, cursors }) };
}
