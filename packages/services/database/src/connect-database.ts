import createQueryBuilder from 'knex';
import type { Knex } from 'knex';

import type { DatabaseOptions, Statements } from './connect-statements.ts';
import { connectStatements } from './connect-statements.ts';
import { listenForNotifications } from './listen-for-notifications.ts';
import type { NotificationListener, NotificationOptions } from './listen-for-notifications.ts';

/** A service's database. */
export interface Database extends Statements {
  /** Builds queries. It has no connection: the functions of `Statements` run them, under a deadline and as a tenant. */
  readonly knex: Knex;
  /** Listens for notifications on a channel, on a connection of its own: see `listenForNotifications`. */
  listen(channel: string, on: Pick<NotificationOptions, 'onText' | 'onStart'>): NotificationListener;
}

/** Connects to a database, when a connection is first needed. */
export function connectDatabase(options: ConnectDatabaseOptions): Database {
  const { url, listenUrl, applicationName, logger } = options;
  return {
    ...connectStatements(options),
    knex: createQueryBuilder({ client: 'pg' }),
    listen: (channel, on) =>
      listenForNotifications({
        ...on,
        url: listenUrl ?? url,
        isSession: listenUrl !== undefined,
        applicationName: `${applicationName} listener`,
        channel,
        logger,
      }),
  };
}

export interface ConnectDatabaseOptions extends DatabaseOptions {
  /** Leads to one session of the same database, where `url` leads to a pooler. */
  readonly listenUrl?: string | undefined;
}
