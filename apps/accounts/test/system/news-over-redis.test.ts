import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { connectRedis } from '@meridian/shared-state';
import { createLogger } from '@meridian/telemetry';
import type { RedisServer } from '@meridian/testing';
import { eventually, startRedisServer } from '@meridian/testing';

import { expectNewsOf } from '../event-readers/expect-news.ts';
import { followEvents } from '../routes/events/follow-events.ts';
import type { RunningAccounts } from '../running-accounts.ts';
import { startAccounts } from '../running-accounts.ts';

describe('With Redis,', () => {
  let accounts: RunningAccounts;
  let redis: RedisServer;
  beforeEach(async () => {
    [accounts, redis] = await Promise.all([startAccounts(), startRedisServer()]);
  });
  afterEach(async () => {
    await accounts.stop();
    await redis.close();
  });

  const logger = createLogger({ service: 'accounts', level: 'silent' });

  it('processes hear of each other without a connection to PostgreSQL that listens, and go on while it hangs or is gone', async () => {
    const [one, other] = [
      await connectRedis({ url: redis.url, logger }),
      await connectRedis({ url: redis.url, logger }),
    ];
    expect([await one.isConnected(), await other.isConnected()]).toEqual([true, true]);
    const writer = await accounts.another({ redis: one });
    const reader = await accounts.another({ redis: other });
    // Reads by the other process: the address is of its agent.
    const url = reader.get('/').url.replace(/\/$/u, '');
    const stream = await followEvents(`${url}/events`, { Authorization: accounts.authorizationOf() });
    await expectNewsOf(writer, stream);
    const { rows } = await accounts.admin.query(
      'select 1 from pg_stat_activity where datname = current_database() and application_name = $1',
      ['accounts listener'],
    );
    expect(rows).toEqual([]);

    const count = stream.events.length;
    redis.freeze();
    await writer.post('/accounts').send('{"id":"frozen","balance_minor_units":1}').expect(201);
    await stream.reaches(count + 1);
    redis.thaw();
    await redis.stop();
    await writer.post('/accounts').send('{"id":"gone","balance_minor_units":1}').expect(201);
    await stream.reaches(count + 2);
    await redis.start();
    await eventually(async () => expect(await other.ask((client) => client.ping())).toBe('PONG'));
    await expectNewsOf(writer, stream, 'again');
    stream.leave();
    one.close();
    other.close();
  }, 120_000);
});
