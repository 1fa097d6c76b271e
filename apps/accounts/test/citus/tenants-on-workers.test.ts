import { readFileSync } from 'node:fs';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { assertDistribution, connectDatabase, UndistributedStore } from '@meridian/database';
import { eventually, startServiceProcess } from '@meridian/testing';
import type { ServiceProcess } from '@meridian/testing';
import { Client } from 'pg';

import { auditLedger, untilNoHoldExpires } from '../ledger-under-kills/audit-ledger.ts';
import { followEvents } from '../ledger-under-kills/follow-events.ts';
import { newLedger, writeLedgers } from '../ledger-under-kills/write-ledger.ts';
import { startIsolatedCluster } from './isolated-cluster.ts';
import type { IsolatedCluster } from './isolated-cluster.ts';

const main = new URL('../../src/main.ts', import.meta.url);
const { tables } = JSON.parse(readFileSync(new URL('../../distribution.json', import.meta.url), 'utf8')) as {
  tables: Record<string, string>;
};

describe('Tenants on the workers of a cluster', () => {
  let store: IsolatedCluster;
  let service: ServiceProcess;
  let headers: Record<string, string>;
  /** Aborts when the test has ended: one that fails leaves no client that would disturb its second run. */
  let ended = new AbortController();
  const clients: Promise<unknown>[] = [];
  const replicas: ServiceProcess[] = [];
  beforeEach(() => {
    ended = new AbortController();
  });
  afterEach(async () => {
    ended.abort();
    await Promise.allSettled(clients.splice(0));
    const started = replicas.splice(0);
    for (const { child } of started) {
      child.kill('SIGKILL');
    }
    await Promise.all(started.map(({ exited }) => exited));
  });
  beforeAll(async () => {
    store = await startIsolatedCluster({ requestDeadlineMs: 20_000 });
    headers = await store.headersOf('acme');
    service = await startServiceProcess(main, store.environment);
  });
  afterAll(async () => {
    service.child.kill('SIGKILL');
    await service.exited;
    await store.stop();
  });

  const create = (as: Record<string, string>, id: string) =>
    fetch(`${service.url}/accounts`, {
      method: 'POST',
      headers: as,
      body: `{"id":"${id}","balance_minor_units":0}`,
    });

  it('a service does not start on a worker, nor where a function is not distributed', async () => {
    const start = async (databaseUrl: string): Promise<string> => {
      const database = connectDatabase({
        url: databaseUrl,
        applicationName: 'accounts',
        poolSize: 1,
        statementTimeoutMs: 10_000,
        logger: { warn: () => undefined },
      });
      try {
        await assertDistribution(database);
        return 'starts';
      } catch (error) {
        return error instanceof UndistributedStore ? error.message : String(error);
      } finally {
        await database.close();
      }
    };
    expect(await start(store.serviceUrl)).toBe('starts');
    const { worker } = await store.placeOf('acme');
    const onWorker = new URL(store.databaseOf(worker));
    onWorker.username = 'meridian_accounts';
    onWorker.password = 'service';
    expect(await start(onWorker.href)).toContain('DATABASE_URL names a worker instead of the coordinator');

    await store.admin(
      'create function new_read(p_tenant_id text) returns void language sql as $$ select 1 $$; create table new_table ()',
    );
    await store.admin('grant select on new_table to meridian_accounts');
    expect(await start(store.serviceUrl)).toBe(
      'The database is not distributed as this service needs it: ' +
        'the function new_read does not run on the worker of its tenant; the table new_table is on the coordinator only. ' +
        'Run pnpm migrate <app> --distribute',
    );
    await store.admin('drop function new_read; drop table new_table');

    await store.admin('alter policy transfers_of_the_tenant on transfers using (true)');
    await store.admin(
      `alter role meridian_accounts in database meridian_accounts reset citus.multi_task_query_log_level`,
    );
    expect(await start(store.serviceUrl)).toBe(
      'The database is not distributed as this service needs it: ' +
        'statements of several shards are not refused; as superuser, run alter role meridian_accounts in database ' +
        "meridian_accounts set citus.multi_task_query_log_level = 'error'; " +
        'the policy of the table transfers lets a statement without a tenant through. Run pnpm migrate <app> --distribute',
    );
    await store.prepare();
    expect(await start(store.serviceUrl)).toBe('starts');
  });

  it('a statement that would ask several shards is refused, and so is one without a tenant', async () => {
    const messageOf = async (sql: string): Promise<string> => {
      const client = new Client({ connectionString: store.serviceUrl });
      await client.connect();
      try {
        await client.query('begin');
        await client.query(`set local meridian.tenant_id = 'acme'`);
        return await client.query(sql).then(
          ({ rowCount }) => `${rowCount} rows`,
          (error: unknown) => String(error),
        );
      } finally {
        await client.end();
      }
    };
    expect(await messageOf(`select from accounts where tenant_id = 'acme' limit 1`)).toMatch(/^\d rows$/u);
    expect(await messageOf('select from accounts limit 1')).toBe(
      'error: multi-task query about to be executed',
    );
    expect(await messageOf(`set local meridian.tenant_id = ''; select from accounts limit 1`)).toBe(
      'error: the statement came to this node without its tenant',
    );
  });

  it("row-level security refuses the service's role on a worker without the tenant, and shows only the tenant's rows with it", async () => {
    for (const tenant of ['acme', 'globex', 'initech']) {
      expect((await create(await store.headersOf(tenant), `of-${tenant}`)).status).toBe(201);
    }
    const { shard, worker } = await store.placeOf('acme');
    const asService = new URL(store.databaseOf(worker));
    asService.username = 'meridian_accounts';
    asService.password = 'service';
    const seenInShard = async (tenant?: string): Promise<unknown> => {
      if (tenant !== undefined) {
        // As a setting of the connection.
        asService.searchParams.set('options', `-c meridian.tenant_id=${tenant}`);
      }
      const { rows } = await store.admin<{ tenants: string | null }>(
        `select string_agg(distinct tenant_id, ',') as tenants from accounts_${shard}`,
        [],
        asService.href,
      );
      return rows[0]?.tenants;
    };
    await expect(seenInShard()).rejects.toMatchObject({ code: 'MT001' });
    expect(await seenInShard('nobody')).toBeNull();
    expect(await seenInShard('acme')).toBe('acme');
  });

  it('one of a hundred writers with the same entity tag wins, and the others get 412', async () => {
    const created = await create(headers, 'raced');
    const statuses = await Promise.all(
      Array.from({ length: 100 }, async (_, writer) => {
        const response = await fetch(`${service.url}/accounts/raced`, {
          method: 'PUT',
          headers: { ...headers, 'If-Match': created.headers.get('etag') ?? '' },
          body: `{"balance_minor_units":${writer}}`,
        });
        await response.text();
        return response.status;
      }),
    );
    expect(statuses.toSorted((one, other) => one - other)).toEqual([
      200,
      ...Array.from({ length: 99 }, () => 412),
    ]);
  });

  /** Counts second runs too, whose accounts need names of their own. */
  let moves = 0;

  it.each(['block_writes', 'force_logical'])(
    'a tenant is moved to the other worker by %s while it is used, and every request succeeds',
    async (mode) => {
      const before = await store.placeOf('acme');
      const target = store.cluster.workers.find(({ url }) => url !== before.worker.url);
      moves += 1;
      const name = `${mode}-${moves}`;
      const stopUsing = useUntilStopped(name);
      const stopWriting = await writeUnderKills(`written-${name}`);
      await withOwnerUnbound(() =>
        store.admin(
          `select citus_move_shard_placement($1::bigint, '127.0.0.1', $2::integer, '127.0.0.1', $3::integer, $4)`,
          [before.shard, before.port, new URL(target?.url ?? '').port, mode],
        ),
      );
      await stopUsing();
      expect((await store.placeOf('acme')).worker.url).toBe(target?.url);
      expect(await stopWriting()).toEqual([]);
    },
    300_000,
  );

  /**
   * Has 40 clients write in every way, and one follow the events, over a service that is killed meanwhile. The returned
   * function ends that, and resolves with what is wrong with the ledger then.
   */
  async function writeUnderKills(name: string): Promise<() => Promise<string[]>> {
    const start = async (): Promise<ServiceProcess> => {
      const started = await startServiceProcess(main, store.environment);
      replicas.push(started);
      return started;
    };
    let replica = await start();
    const ledger = newLedger('acme', headers, name);
    let done = 0;
    const untilDone = (writes: number) =>
      eventually(() => {
        if (done < writes) {
          throw new Error(`${done} of ${writes} writes were done`);
        }
      });
    const [writesAreOver, readsAreOver] = [new AbortController(), new AbortController()];
    const urls = () => [replica.url];
    const writing = writeLedgers({
      urls,
      ledgers: [ledger],
      writers: 40,
      isOver: () => writesAreOver.signal.aborted,
      onDone: () => (done += 1),
      signal: ended.signal,
    });
    const following = followEvents(urls, headers, () => readsAreOver.signal.aborted, ended.signal);
    clients.push(writing, following);
    await untilDone(50);
    return async () => {
      replica.child.kill('SIGKILL');
      await replica.exited;
      replica = await start();
      await untilDone(done + 50);
      writesAreOver.abort();
      await writing;
      await untilNoHoldExpires(store.admin);
      readsAreOver.abort();
      const audited = { ledger, followed: await following, urls, admin: store.admin };
      return await auditLedger(audited);
    };
  }

  it('a worker is added, and the shards are spread over it while they are used', async () => {
    const stopUsing = useUntilStopped('rebalanced');
    await store.addWorker();
    await store.admin(`select rebalance_table_shards(shard_transfer_mode => 'block_writes')`);
    await stopUsing();
    const { rows } = await store.admin<{ port: number }>(
      `select distinct nodeport as port from citus_shards where table_name = 'accounts'::regclass`,
    );
    expect(rows).toHaveLength(3);
  });

  /** Logical replication writes as a member of the owner's role, which forced row-level security would hold as well. */
  async function withOwnerUnbound(move: () => Promise<unknown>): Promise<void> {
    const setForced = async (force: string): Promise<void> => {
      for (const table of Object.keys(tables)) {
        await store.admin(`alter table ${table} ${force} row level security`);
      }
    };
    await setForced('no force');
    try {
      await move();
    } finally {
      await setForced('force');
    }
  }

  async function expectBalance(id: string, written: number): Promise<void> {
    const { rows } = await store.admin<{ balance: string; revision: string; sum: string }>(
      `select balance_minor_units as balance, revision,
         (select sum(amount_minor_units) from ledger_entries where tenant_id = 'acme' and account_id = $1) as sum
       from accounts where tenant_id = 'acme' and id = $1`,
      [id],
    );
    expect(rows).toEqual([{ balance: String(written), revision: String(written + 1), sum: String(written) }]);
  }

  /**
   * Uses an account until the returned function is called, which expects that nothing has failed and nothing was lost.
   * A writer raises the balance by one, again and again; others read an account, create accounts, and transfer with an
   * Idempotency-Key. A key whose shard moves can be in flight for longer than a request waits: that client sends its
   * request again.
   */
  function useUntilStopped(id: string): () => Promise<void> {
    const over = new AbortController();
    const outcomes = new Set<string>();
    const send = async (name: string, path: string, init: RequestInit = {}) => {
      const response = await fetch(`${service.url}${path}`, {
        ...init,
        headers: { ...headers, ...(init.headers as Record<string, string> | undefined) },
        signal: ended.signal,
      });
      const text = await response.text();
      outcomes.add(`${name} ${response.status}${response.ok ? '' : ` ${text}`}`);
      return response;
    };
    const repeat = async (once: (time: number) => Promise<unknown>): Promise<number> => {
      let times = 0;
      do {
        await once(times);
        times += 1;
      } while (!over.signal.aborted);
      return times;
    };
    const raise = async (): Promise<number> => {
      let etag = (await create(headers, id)).headers.get('etag') ?? '';
      return await repeat(async (time) => {
        const put = await send('PUT', `/accounts/${id}`, {
          method: 'PUT',
          headers: { 'If-Match': etag },
          body: `{"balance_minor_units":${time + 1}}`,
        });
        etag = put.headers.get('etag') ?? '';
      });
    };
    const useOthers = async (): Promise<unknown> => {
      const [giver, taker] = [`${id}-giver`, `${id}-taker`];
      const body = `{"id":"${giver}","balance_minor_units":1000000}`;
      await send('POST', '/accounts', { method: 'POST', body });
      await create(headers, taker);
      return await Promise.all([
        repeat(() => send('GET', `/accounts/${giver}`)),
        repeat(() => send('GET', `/accounts/${giver}`)),
        repeat((time) =>
          send('POST', '/accounts', {
            method: 'POST',
            body: `{"id":"${id}-${time}","balance_minor_units":${time}}`,
          }),
        ),
        repeat(async (time) => {
          const transfer = () =>
            send('transfer', `/accounts/${giver}/transfers`, {
              method: 'POST',
              headers: { 'Idempotency-Key': `${id}-${time}` },
              body: `{"to_account_id":"${taker}","amount_minor_units":1}`,
            });
          let response = await transfer();
          while (response.status === 409) {
            response = await transfer();
          }
        }),
      ]);
    };
    const using = Promise.all([raise(), useOthers()]);
    clients.push(using);
    return async () => {
      over.abort();
      const [written] = await using;
      const others = [...outcomes].filter((outcome) => !/^transfer 409 .*key-in-flight/u.test(outcome));
      expect(others.toSorted()).toEqual(['GET 200', 'POST 201', 'PUT 200', 'transfer 201']);
      expect(written).toBeGreaterThan(0);
      await expectBalance(id, written);
    };
  }
});
