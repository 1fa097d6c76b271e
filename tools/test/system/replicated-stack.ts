import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { expect } from '@jest/globals';
import { parse, stringify } from 'yaml';

import { variableOf, variablePrefixOf } from '../../../packages/development/local-stack/src/apps/index.ts';
import { databaseOf as nameOfDatabase } from '../../../packages/services/database/src/database-of.ts';
import { readServices } from '../../../packages/development/local-stack/src/apps/services.ts';
import { findFreePort } from '../../../packages/core/processes/src/index.ts';
// Databases of this process are reached by way of PgBouncer.
import '../../../packages/development/testing/src/jest-behind-pgbouncer.ts';
import {
  createTestDatabase,
  createTestIdentity,
  eventually,
  runScript,
  startRedisServer,
  startServiceProcess,
} from '../../../packages/development/testing/src/index.ts';
import type {
  ServiceProcess,
  TestDatabase,
  TestIdentity,
} from '../../../packages/development/testing/src/index.ts';
import { pathOf } from '../graph/shipped-subgraphs.ts';

const services = readServices();

/** Two replicas of every service behind HAProxy, with one Redis, and a PgBouncer in front of each database. */
export interface ReplicatedStack {
  readonly identity: TestIdentity;
  /** The URL of a service by way of HAProxy. */
  urlOf(service: string): string;
  /** The database of a service. */
  databaseOf(service: string): TestDatabase;
  /** The admin listener of a replica, 1 or 2. */
  adminUrlOf(service: string, replica: number): string;
  /**
   * Stops these replicas of all services by SIGTERM, starts them again, and waits until HAProxy has each. Gives the
   * exit codes.
   */
  restart(replica: number): Promise<(number | null)[]>;
  close(): Promise<void>;
}

/** Where a replica listens, before and after a restart. */
interface Replica {
  readonly service: string;
  readonly number: number;
  readonly port: number;
  readonly adminPort: number;
  process: ServiceProcess;
}

const secret = 'a key of the tests that is as long as it has to be';
/** A late response on a busy machine is not a lost one. */
const generousMs = 25_000;

/** @param costPerHour the most that each tenant may use of the gateways */
export async function startReplicatedStack(costPerHour: number): Promise<ReplicatedStack> {
  const closers: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const closeOne of closers.toReversed()) {
      await closeOne();
    }
  };
  try {
    return { ...(await startAll(costPerHour, (closeOne) => void closers.push(closeOne))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startAll(
  costPerHour: number,
  onClose: (closeOne: () => unknown) => void,
): Promise<Omit<ReplicatedStack, 'close'>> {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-replicas-'));
  onClose(() => rm(folder, { recursive: true }));
  const identity = await createTestIdentity();
  onClose(() => identity.close());
  const redis = await startRedisServer();
  onClose(() => redis.close());
  const databases = new Map<string, TestDatabase>();
  for (const { name, hasDemoData } of services) {
    const database = await createTestDatabase({
      migrations: new URL(`../../../apps/${name}/migrations/`, import.meta.url),
      serviceRole: nameOfDatabase(name),
    });
    onClose(() => database.drop());
    databases.set(name, database);
    if (hasDemoData) {
      const seed = new URL(`../../../apps/${name}/src/seed.ts`, import.meta.url);
      expect(await runScript(seed, { DATABASE_URL: database.serviceUrl })).toMatchObject({ code: 0 });
    }
  }
  const databaseOf = (service: string): TestDatabase => entryOf(databases, service);

  const fronts = new Map<string, number>();
  for (const { name } of [...services, { name: 'stats' }]) {
    fronts.set(name, await findFreePort());
  }
  const urlOf = (service: string): string => `http://127.0.0.1:${entryOf(fronts, service)}`;
  const overlay = join(folder, 'router.overlay.yaml');
  await writeFile(overlay, await overlayOf(costPerHour));

  const environmentOf = ({ service, port, adminPort }: Omit<Replica, 'process'>): Record<string, string> => ({
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    DATABASE_URL: databaseOf(service).serviceUrl,
    REDIS_URL: redis.url,
    JWKS_URL: identity.jwksUrl.href,
    JWT_ISSUER: identity.issuer,
    PROBLEM_BASE_URL: urlOf('accounts'),
    ETAG_KEYS: secret,
    CURSOR_KEYS: secret,
    SUPERGRAPH_PATH: pathOf('supergraph.graphql'),
    ROUTER_CONFIG_PATH: pathOf('router.yaml'),
    ROUTER_CONFIG_OVERLAY_PATH: overlay,
    REQUEST_DEADLINE_MS: String(generousMs),
    LOG_LEVEL: 'info',
    ...Object.fromEntries(
      services
        .filter(({ path }) => path === '/graphql')
        .map(({ name }) => [variableOf(name), `${urlOf(name)}/graphql`]),
    ),
  });
  const startReplica = (replica: Omit<Replica, 'process'>): Promise<ServiceProcess> =>
    startServiceProcess(
      new URL(`../../../apps/${replica.service}/src/main.ts`, import.meta.url),
      environmentOf(replica),
    );

  const replicas: Replica[] = [];
  for (const { name: service } of services) {
    for (const number of [1, 2]) {
      const place = { service, number, port: await findFreePort(), adminPort: await findFreePort() };
      const replica: Replica = { ...place, process: await startReplica(place) };
      onClose(async () => {
        replica.process.child.kill('SIGKILL');
        await replica.process.exited;
      });
      replicas.push(replica);
    }
  }
  const haproxy = startHaproxy(replicas, fronts);
  onClose(() => haproxy.kill('SIGKILL'));

  /** HAProxy's own view of each server. */
  const areUp = async (): Promise<void> => {
    const csv = await (await fetch(`${urlOf('stats')}/;csv`)).text();
    const states = csv.split('\n').map((line) => line.split(','));
    for (const { service, number } of replicas) {
      const [, , ...columns] =
        states.find(([proxy, server]) => proxy === service && server === `${service}-${number}`) ?? [];
      expect(columns[15]).toBe('UP');
    }
  };
  await Promise.race([eventually(areUp), endOf(haproxy)]);

  return {
    identity,
    urlOf,
    databaseOf,
    adminUrlOf(service, number) {
      const replica = replicas.find((each) => each.service === service && each.number === number);
      return `http://127.0.0.1:${replica?.adminPort}`;
    },
    async restart(number) {
      const restarted = replicas.filter((replica) => replica.number === number);
      const codes = await Promise.all(
        restarted.map(async (replica) => {
          const code = await replica.process.stop();
          replica.process = await startReplica(replica);
          return code;
        }),
      );
      await eventually(areUp);
      return codes;
    },
  };
}

/** The development overlay, with timeouts for a busy machine and a throttle that a test can fill. */
async function overlayOf(costPerHour: number): Promise<string> {
  const development: object = parse(await readFile(pathOf('router.development.yaml'), 'utf8'));
  return stringify({
    ...development,
    traffic_shaping: {
      router: { timeout: '40s', global_rate_limit: { capacity: 100 * costPerHour, interval: '1h' } },
      all: { timeout: '30s' },
      subgraphs: { reviews: { timeout: '30s' } },
    },
    meridian: { throttle: { tenant: { capacity: costPerHour, interval: '1h' } } },
  });
}

/** Debian's, with the configuration that operators get. */
function startHaproxy(replicas: readonly Replica[], fronts: ReadonlyMap<string, number>): ChildProcess {
  const addresses = replicas.flatMap(({ service, number, port, adminPort }) => [
    [`${variablePrefixOf(service)}_${number}`, `127.0.0.1:${port}`],
    [`${variablePrefixOf(service)}_${number}_ADMIN`, String(adminPort)],
  ]);
  const binds = [...fronts].map(([name, port]) => [`${variablePrefixOf(name)}_BIND`, `127.0.0.1:${port}`]);
  return spawn('haproxy', ['-q', '-db', '-f', pathOf('deploy/haproxy/haproxy.cfg')], {
    // Debian's is where an ordinary user's PATH does not look.
    env: { PATH: `${process.env['PATH']}:/usr/sbin`, ...Object.fromEntries([...addresses, ...binds]) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Rejects when HAProxy ends, or could not be started. What it says about that is on the standard error output. */
async function endOf(haproxy: ChildProcess): Promise<never> {
  const [code]: unknown[] = await once(haproxy, 'exit');
  throw new Error(`haproxy ended with code ${String(code)} before it had found every replica`);
}

function entryOf<Value>(map: ReadonlyMap<string, Value>, name: string): Value {
  const value = map.get(name);
  if (value === undefined) {
    throw new Error(`There is no service ${name}`);
  }
  return value;
}
