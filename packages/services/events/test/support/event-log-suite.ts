import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '@meridian/database';
import type { TestDatabaseOptions } from '@meridian/testing';

import { startEventLog } from './start-event-log.ts';
import type { StartedEventLog } from './start-event-log.ts';

export interface EventLogSuiteOptions extends TestDatabaseOptions {
  /** A call of a function of the app, as one statement, that changes a resource of its own, once. */
  readonly change: (
    tenantId: string,
    database: Database,
  ) => Promise<{ readonly sql: string; readonly subject: string }>;
}

/**
 * The suite of an app's log, in a file of the app's `test/`: what holds for the log of each service, over its own
 * migrations and with its own writes.
 */
export function eventLogSuite(name: string, { change: changeIn, ...options }: EventLogSuiteOptions): void {
  describe(`The log of events of ${name}`, () => {
    let log: StartedEventLog;
    beforeAll(async () => {
      log = await startEventLog(options);
    });
    afterAll(() => log.stop());

    const endOf = async (tenantId: string) => (await log.readOn(tenantId, log.start())).end;
    const change = (tenantId: string) => changeIn(tenantId, log.database);
    async function write(tenantId: string): Promise<string> {
      const { sql, subject } = await change(tenantId);
      await log.database.query(sql, [], { tenantId });
      return subject;
    }

    it('has a committed change once, and none that was rolled back', async () => {
      const start = await endOf('acme');
      const undone = await change('acme');
      const writer = await log.begin('acme');
      await writer.query(undone.sql);
      await writer.query('rollback');
      await writer.end();
      const subject = await write('acme');
      const { events } = await log.readOn('acme', start);
      expect(events.map((event) => event.subject)).toEqual([subject]);
      // From the same place again: the same event.
      expect((await log.readOn('acme', start)).events).toEqual(events);
    });

    it('shows an event that was written first and committed last to a reader that went on meanwhile', async () => {
      const start = await endOf('acme');
      const sequenceValue = async (client: Awaited<ReturnType<StartedEventLog['begin']>>) => {
        const { rows } = await client.query<{ id: string }>(
          `select id from event_outbox where tenant_id = 'acme' order by id desc limit 1`,
        );
        return BigInt(rows[0]?.id ?? 0);
      };
      const [slow, fast] = [await change('acme'), await change('acme')];
      const first = await log.begin('acme');
      await first.query(slow.sql);
      const firstValue = await sequenceValue(first);
      const second = await log.begin('acme');
      await second.query(fast.sql);
      const secondValue = await sequenceValue(second);
      await second.query('commit');
      const before = await log.readOn('acme', start);
      await first.query('commit');
      const after = await log.readOn('acme', before.end);
      await Promise.all([first.end(), second.end()]);
      expect(before.events.map(({ subject }) => subject)).toEqual([fast.subject]);
      expect(after.events.map(({ subject }) => subject)).toEqual([slow.subject]);
      // A reader that goes on from the last number of a plain sequence has passed it.
      expect(firstValue).toBeLessThan(secondValue);
    });

    it('shows many readers every change of many writers, in one order', async () => {
      const start = await endOf('acme');
      let isOver = false;
      async function follow(): Promise<string[]> {
        const seen: string[] = [];
        for (let after = start; ;) {
          const wasOver = isOver;
          const { events, end } = await log.list('acme', after, {}, 7);
          seen.push(...events.map(({ id }) => id));
          after = end;
          if (wasOver && events.length === 0) {
            return seen;
          }
        }
      }
      const readers = [follow(), follow()];
      const subjects = await Promise.all(Array.from({ length: 30 }, () => write('acme')));
      isOver = true;
      const [one = [], other] = await Promise.all(readers);
      expect(one).toHaveLength(30);
      expect(other).toEqual(one);
      const { events } = await log.readOn('acme', start);
      expect(events.map(({ subject }) => subject).toSorted()).toEqual(subjects.toSorted());
    });

    it('is of its tenant alone, also for a statement without a condition', async () => {
      await write('acme');
      const { events } = await log.readOn('globex', log.start());
      expect(events).toEqual([]);
      await write('acme');
      const reader = await log.begin('globex');
      for (const table of ['event_outbox', 'event_log', 'event_heads']) {
        // Only a cluster has the setting: there a statement of several shards is refused otherwise.
        await reader.query(`set local citus.multi_task_query_log_level = 'off'`);
        const { rows } = await reader.query<{ tenant_id: string }>(`select distinct tenant_id from ${table}`);
        expect(rows.filter((row) => row.tenant_id === 'acme')).toEqual([]);
      }
      await expect(
        reader.query(
          `insert into event_outbox (tenant_id, type, subject, time, data) values ('acme', '', '', now(), '{}')`,
        ),
      ).rejects.toMatchObject({ code: '42501' });
      await reader.end();
    });

    it('keeps an event for 30 days at least, and drops ten days of them at a time', async () => {
      /** As if an event were older, by periods of ten days. */
      const age = (subject: string, periods: number) =>
        log.admin.query(
          `with moved as (delete from event_log where tenant_id = 'acme' and subject = $1 returning *)
           insert into event_log select tenant_id, mod(slot + 5 - $2::integer, 5), position, id, type, subject, time, data,
             actor_issuer, actor_subject from moved`,
          [subject, periods],
        );
      const [recent, old] = [await write('acme'), await write('acme')];
      await endOf('acme');
      await age(recent, 3);
      await age(old, 4);
      await log.database.query('select drop_old_events()');
      const seen = await Promise.all(
        [recent, old].map(
          async (subject) => (await log.readOn('acme', log.start(), { subject })).events.length,
        ),
      );
      expect(seen).toEqual([1, 0]);
    });
  });
}
