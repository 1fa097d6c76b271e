import { createCursors } from '@meridian/rest';
import type { Database } from '@meridian/database';
import type { RedisConnection } from '@meridian/shared-state';

import { createEventCursors } from './event-cursors.ts';
import { createEventStore } from './event-store.ts';
import type { EventStoreDatabase } from './event-store.ts';
import { createEventWatch } from './watch/event-watch.ts';
import type { EventWatchOptions } from './watch/event-watch.ts';
import { createFollowLog } from './watch/follow-log.ts';
import { createChanges } from './changes/changes.ts';
import type { Changes, Channel } from './changes/changes.ts';

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

interface ChangesOptions {
  /** Its name: processes of one service hear each other. */
  readonly service: string;
  readonly database: Pick<Database, 'query' | 'listen'>;
  /** Carries the news where it is there, instead of PostgreSQL. */
  readonly redis?: RedisConnection | undefined;
}

/** News by Redis where there is one, else by PostgreSQL's notifications. */
function openChanges({ service, database, redis }: ChangesOptions): Changes {
  return createChanges(
    redis === undefined ? postgresChannel(service, database) : redisChannel(service, redis),
  );
}

function postgresChannel(service: string, database: ChangesOptions['database']): Channel {
  const channel = `meridian_events_${service}`;
  return {
    async publish(text) {
      await database.query('select pg_notify($1, $2)', [channel, text]);
    },
    subscribe: (onText, onStart) => database.listen(channel, { onText, onStart }),
  };
}

function redisChannel(service: string, redis: RedisConnection): Channel {
  const channel = `meridian:events:${service}`;
  return {
    async publish(text) {
      await redis.ask((client) => client.publish(channel, text));
    },
    subscribe: (onText, onStart) => redis.subscribe(channel, { onText, onStart }),
  };
}
