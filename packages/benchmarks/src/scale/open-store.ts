import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import {
  distributeDatabase,
  migrateDatabase,
  provisionCitusDatabase,
  provisionDatabase,
  readDistribution,
} from '@meridian/database';
import { startPostgres } from '@meridian/postgres';
import { startCitus } from '@meridian/postgres/citus';
import type { StartCitusOptions } from '@meridian/postgres/citus';
import { Client } from 'pg';

import { serverCpuSeconds } from '../harness/postgres-cost.ts';

/** A database of accounts, which the accounts service connects to. */
export interface Store {
  /** As the service's role. */
  readonly url: string;
  readonly storeEpoch: string;
  /** Its servers in the order in which a statement passes them. The workers of a cluster are one. */
  readonly servers: readonly { readonly name: string; cpuSeconds(): number }[];
  stop(): Promise<void>;
}

interface StoreOptions {
  readonly directory: string;
  /** The PostgreSQL to run; without it, the one from npm. */
  readonly programs: StartCitusOptions['programs'] | undefined;
  /** 0 for one PostgreSQL, else a Citus cluster. */
  readonly workers: number;
}

export const tenants = Array.from({ length: 16 }, (_, index) => `tenant-${index}`);
/** Of each tenant: `account-0`, `account-1` and so on, each at revision 1. */
export const accountsPerTenant = 1000;

/** As many as the workers, times four: each worker has some of the tenants. */
const shardCount = 8;

const serviceRole = 'meridian_accounts';
const database = { database: serviceRole, serviceRole, servicePassword: 'bench' };
const app = join(import.meta.dirname, '../../../../apps/accounts');

/** Starts a store and fills it. No disk is measured: `fsync` is off. */
export async function openStore({ directory, programs, workers }: StoreOptions): Promise<Store> {
  const settings = { fsync: 'off', autovacuum: 'off', max_wal_size: '8GB' };
  if (workers === 0) {
    const postgres = await startPostgres({
      dataDirectory: directory,
      port: 0,
      isThrowaway: true,
      settings,
      ...(programs !== undefined && { programs }),
    });
    const { ownerUrl, serviceUrl } = await provisionDatabase({ ...database, adminUrl: postgres.url });
    return {
      url: serviceUrl,
      storeEpoch: await fill(ownerUrl),
      servers: [{ name: 'PostgreSQL', cpuSeconds: () => serverCpuSeconds(postgres) }],
      stop: () => postgres.stop(),
    };
  }
  if (programs === undefined) {
    throw new Error('A cluster needs the programs of a PostgreSQL with Citus');
  }
  const cluster = await startCitus({
    programs,
    dataDirectory: directory,
    workers,
    settings,
    isThrowaway: true,
  });
  const { ownerUrl, serviceUrl } = await provisionCitusDatabase({
    ...database,
    coordinatorUrl: cluster.coordinator.url,
    workerUrls: cluster.workers.map(({ url }) => url),
  });
  return {
    url: serviceUrl,
    storeEpoch: await fill(ownerUrl, { isDistributed: true }),
    servers: [
      { name: 'coordinator', cpuSeconds: () => serverCpuSeconds(cluster.coordinator) },
      {
        name: 'workers',
        cpuSeconds: () => cluster.workers.reduce((sum, worker) => sum + serverCpuSeconds(worker), 0),
      },
    ],
    stop: () => cluster.stop(),
  };
}

/** @returns its epoch */
async function fill(ownerUrl: string, { isDistributed = false } = {}): Promise<string> {
  await migrateDatabase({ ownerUrl, directory: join(app, 'migrations'), serviceRole });
  const distribution = isDistributed
    ? await readDistribution(pathToFileURL(join(app, 'distribution.json')))
    : undefined;
  if (distribution !== undefined) {
    await distributeDatabase({ ownerUrl, distribution, serviceRole, shardCount });
  }
  // The administrator is a superuser here: row-level security lets it write.
  const admin = new Client(ownerUrl);
  await admin.connect();
  try {
    for (const tenant of tenants) {
      await admin.query(
        `insert into accounts (tenant_id, id, balance_minor_units, created_at)
         select $1, 'account-' || n, n, now() from generate_series(0, $2::int - 1) n`,
        [tenant, accountsPerTenant],
      );
    }
    await admin.query('vacuum analyze');
    const { rows } = await admin.query<{ epoch: string }>('select epoch from store_epoch');
    return rows[0]?.epoch ?? '';
  } finally {
    await admin.end();
  }
}
