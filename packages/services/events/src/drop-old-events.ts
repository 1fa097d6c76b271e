import type { Database } from '@meridian/database';
import type { Logger } from '@meridian/telemetry';

const intervalMs = 3_600_000;

/** Drops events of more than 30 days, ten days at a time: now and each hour. One replica that does is enough. */
export function dropOldEvents(database: Database, logger: Logger): void {
  const drop = () => {
    database.query('select drop_old_events()').catch((error: unknown) => {
      logger.warn({ err: error }, 'old events could not be dropped; they are within the hour');
    });
  };
  drop();
  setInterval(drop, intervalMs).unref();
}
