import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assertDistribution, connectDatabase, UndistributedStore } from '@meridian/database';
import { startServiceProcess } from '@meridian/testing';
import type { ServiceProcess } from '@meridian/testing';

import { startIsolatedCluster } from './isolated-cluster.ts';
import type { IsolatedCluster } from './isolated-cluster.ts';

const main = new URL('../../src/main.ts', import.meta.url);

describe('Tenants on the workers of a cluster', () => {
  let store: IsolatedCluster;
  let service: ServiceProcess;
  let headers: Record<string, string>;
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
  });

  it("row-level security shows the service's role no row of a worker without the tenant, and only the tenant's with it", async () => {
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
    expect(await seenInShard()).toBeNull();
    expect(await seenInShard('nobody')).toBeNull();
    expect(await seenInShard('acme')).toBe('acme');
  });

  it('a tenant is moved to the other worker while it is written to, and no write is lost', async () => {
    const id = 'moved';
    expect((await create(headers, id)).status).toBe(201);
    const before = await store.placeOf('acme');
    const target = store.cluster.workers.find(({ url }) => url !== before.worker.url);
    const stopWriting = writeUntilStopped(id);
    await store.admin(
      `select citus_move_shard_placement($1::bigint, '127.0.0.1', $2::integer, '127.0.0.1', $3::integer, 'block_writes')`,
      [before.shard, before.port, new URL(target?.url ?? '').port],
    );
    const { written, failures } = await stopWriting();

    expect((await store.placeOf('acme')).worker.url).toBe(target?.url);
    expect(failures.filter((failure) => failure !== 'PUT 412')).toEqual([]);
    expect(written).toBeGreaterThan(0);
    await expectBalance(id, written);
  });

  it('a worker is added, and the shards are spread over it while they are written to', async () => {
    expect((await create(headers, 'rebalanced')).status).toBe(201);
    const stopWriting = writeUntilStopped('rebalanced');
    await store.addWorker();
    await store.admin(`select rebalance_table_shards(shard_transfer_mode => 'block_writes')`);
    const { written, failures } = await stopWriting();

    const { rows } = await store.admin<{ port: number }>(
      `select distinct nodeport as port from citus_shards where table_name = 'accounts'::regclass`,
    );
    expect(rows).toHaveLength(3);
    expect(failures.filter((failure) => failure !== 'PUT 412')).toEqual([]);
    await expectBalance('rebalanced', written);
  });

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
   * Raises a balance by one, again and again, until the returned function is called: it says how often, and the failures. A write
   * that waited for a shard to move may be refused by 412, with nothing written: the client reads again.
   */
  function writeUntilStopped(id: string) {
    const over = new AbortController();
    let written = 0;
    const failures: string[] = [];
    const account = `${service.url}/accounts/${id}`;
    const raise = async (): Promise<void> => {
      const seen = await fetch(account, { headers });
      const text = await seen.text();
      if (seen.status !== 200) {
        failures.push(`GET ${seen.status}`);
        return;
      }
      const { balance_minor_units: balance } = JSON.parse(text) as { balance_minor_units: number };
      const response = await fetch(account, {
        method: 'PUT',
        headers: { ...headers, 'If-Match': seen.headers.get('etag') ?? '' },
        body: `{"balance_minor_units":${balance + 1}}`,
      });
      await response.text();
      if (response.status === 200) {
        written += 1;
      } else {
        failures.push(`PUT ${response.status}`);
      }
    };
    const writing = (async () => {
      do {
        await raise();
      } while (!over.signal.aborted);
      return { written, failures };
    })();
    return () => {
      over.abort();
      return writing;
    };
  }
});
