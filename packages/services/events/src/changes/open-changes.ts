import type { Database } from '@meridian/database';
import type { RedisConnection } from '@meridian/shared-state';

import { createChanges } from './changes.ts';
import type { Changes, Channel } from './changes.ts';

export interface ChangesOptions {
  /** Its name: processes of one service hear each other. */
  readonly service: string;
  readonly database: Pick<Database, 'query' | 'listen'>;
  /** Carries the news where it is there, instead of PostgreSQL. */
  readonly redis?: RedisConnection | undefined;
}

/** News by Redis where there is one, else by PostgreSQL's notifications. */
export function openChanges({ service, database, redis }: ChangesOptions): Changes {
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
