import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import { followEvents } from '../routes/events/follow-events.ts';
import type { FollowedEvent, FollowedStream } from '../routes/events/follow-events.ts';
import { startAccounts } from '../running-accounts.ts';
import type { RunningAccounts } from '../running-accounts.ts';
import { expectNewsOf } from './expect-news.ts';

const poolSize = 10;

let accounts: RunningAccounts;
const open: FollowedStream[] = [];

beforeEach(async () => {
  accounts = await startAccounts();
});
afterEach(async () => {
  for (const stream of open.splice(0)) {
    stream.leave();
  }
  await accounts.stop();
});

async function follow(url = accounts.url, headers: Record<string, string> = {}): Promise<FollowedStream> {
  const stream = await followEvents(`${url}/events`, {
    Authorization: accounts.authorizationOf(),
    ...headers,
  });
  open.push(stream);
  return stream;
}

async function post(id: string): Promise<string> {
  await accounts.post('/accounts', `{"id":"${id}","balance_minor_units":1}`).expect(201);
  return `/accounts/${id}`;
}

const subjectsOf = (events: readonly FollowedEvent[]): string[] => events.map(({ subject }) => subject);

async function connectionsOf(name: string): Promise<number[]> {
  const { rows } = await accounts.admin.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and application_name = $1',
    [name],
  );
  return rows.map(({ pid }) => pid);
}

describe('A thousand waiting readers', () => {
  it('cost connections, and of the database no more than one', async () => {
    await post('before');
    const [streams, pages] = [500, 500];
    const after = JSON.parse((await accounts.client().get('/events')).text) as { next_cursor: string };
    const waiting = Array.from({ length: pages }, async () => {
      const response = await fetch(`${accounts.url}/events?wait=30&after=${after.next_cursor}`, {
        headers: { Authorization: accounts.authorizationOf() },
      });
      return (await response.json()) as { items: FollowedEvent[] };
    });
    const followed = await Promise.all(Array.from({ length: streams }, () => follow()));
    await Promise.all(followed.map((stream) => stream.reaches(1)));
    expect(await connectionsOf('accounts listener')).toHaveLength(1);
    expect((await connectionsOf('accounts')).length).toBeLessThanOrEqual(poolSize);
    // The service serves others, and its readings do not grow with the number of readers.
    const before = accounts.databaseCalls();
    const startedMs = performance.now();
    const subject = await post('after');
    await Promise.all(followed.map((stream) => stream.reaches(2)));
    const read = await Promise.all(waiting);
    const tookMs = performance.now() - startedMs;
    expect(read.map(({ items }) => subjectsOf(items))).toEqual(read.map(() => [subject]));
    expect(followed.map(({ events }) => events.length)).toEqual(followed.map(() => 2));
    expect(accounts.databaseCalls() - before).toBeLessThan(100);
    expect(tookMs).toBeLessThan(10_000);
  }, 120_000);
});

describe('Readers of a log that grows', () => {
  it('have every event in order and once, over reconnections, under writers of two tenants', async () => {
    const writers = 4;
    const each = 40;
    const follower = async (leavesAfter: number): Promise<string[]> => {
      const seen: FollowedEvent[] = [];
      while (seen.length < writers * each) {
        const last = seen.at(-1)?.cursor;
        const stream = await follow(accounts.url, last === undefined ? {} : { 'Last-Event-ID': last });
        await stream.reaches(Math.min(leavesAfter, writers * each - seen.length));
        // Whatever has come by now: a client does not choose where it is cut.
        seen.push(...stream.events);
        stream.leave();
      }
      expect(new Set(seen.map(({ tenantid }) => tenantid))).toEqual(new Set(['acme']));
      return subjectsOf(seen);
    };
    const followers = [1, 3, 10, 50, 1000].map(follower);
    const globex = await follow(accounts.url, {
      Authorization: accounts.authorizationOf({ tenant: 'globex' }),
    });
    const made = await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        const paths = [];
        for (let count = 0; count < each; count += 1) {
          paths.push(await post(`w${writer}-${count}`));
          await accounts.create({ tenant: 'globex' });
        }
        return paths;
      }),
    );
    const [first = [], ...others] = await Promise.all(followers);
    expect(first.toSorted()).toEqual(made.flat().toSorted());
    for (const other of others) {
      expect(other).toEqual(first);
    }
    const seen = await globex.reaches(writers * each);
    expect(new Set(seen.map(({ tenantid }) => tenantid))).toEqual(new Set(['globex']));
  }, 120_000);

  it('go on when the connection that listens is ended, and miss nothing', async () => {
    const stream = await follow();
    await eventually(async () => expect(await connectionsOf('accounts listener')).toHaveLength(1));
    const [pid] = await connectionsOf('accounts listener');
    const made = [await post('one')];
    await accounts.admin.query('select pg_terminate_backend($1::integer)', [pid]);
    made.push(await post('two'));
    await eventually(async () => {
      const pids = await connectionsOf('accounts listener');
      expect([pids.length, pids[0] === pid]).toEqual([1, false]);
    });
    made.push(await post('three'));
    expect(subjectsOf(await stream.reaches(3))).toEqual(made);
  });

  it('hear of the writes of other processes at once, by the notifications of PostgreSQL', async () => {
    const stream = await follow();
    await eventually(async () => expect(await connectionsOf('accounts listener')).toHaveLength(1));
    const writer = await accounts.another({});
    await expectNewsOf(writer, stream);
  });
});
