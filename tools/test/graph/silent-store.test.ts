// A store that hangs: PostgreSQL is stopped, so that connections stay and nothing is answered. It is a server of this
// suite's own, since all others would hang along.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { databaseOf } from '../../../packages/services/database/src/database-of.ts';
import { migrateDatabase, provisionDatabase } from '../../../packages/services/database/src/index.ts';
import { startPostgres } from '../../../packages/development/postgres/src/index.ts';
import type { RunningPostgres } from '../../../packages/development/postgres/src/index.ts';
import { createIdentifier } from '../../../packages/services/subgraph/src/index.ts';
import { probesOf } from '../../../packages/services/subgraph/test/support/index.ts';
import type { GraphqlBody } from '../../../packages/services/subgraph/test/support/index.ts';
import { createTestIdentity, startServiceProcess } from '../../../packages/development/testing/src/index.ts';
import type { ServiceProcess, TestIdentity } from '../../../packages/development/testing/src/index.ts';
import { pathOf, schemaOf, shippedSubgraphs, startOptionsOf } from './shipped-subgraphs.ts';

/** Time enough for what does not hang, also on a busy machine. */
const requestDeadlineMs = 3000;

describe('While PostgreSQL is stopped,', () => {
  const identifier = createIdentifier();
  let postgres: RunningPostgres;
  let identity: TestIdentity;
  let token: string;
  const processes = new Map<string, ServiceProcess>();

  beforeAll(async () => {
    postgres = await startPostgres({
      dataDirectory: await mkdtemp(join(tmpdir(), 'meridian-silent-')),
      port: 0,
      settings: { fsync: 'off' },
      isThrowaway: true,
    });
    identity = await createTestIdentity();
    token = await identity.token();
    await Promise.all(shippedSubgraphs.map(start));
  });
  afterAll(async () => {
    await Promise.all([...processes.values()].map((subgraph) => subgraph.stop()));
    await identity.close();
    await postgres.stop();
  });

  async function start(name: string): Promise<void> {
    const { migrations } = await startOptionsOf(name);
    const serviceRole = databaseOf(name);
    const { ownerUrl, serviceUrl } = await provisionDatabase({
      adminUrl: postgres.url,
      database: serviceRole,
      serviceRole,
      servicePassword: 'service',
    });
    await migrateDatabase({ ownerUrl, directory: migrations, serviceRole });
    const subgraph = await startServiceProcess(new URL(`file://${pathOf(`apps/${name}/src/main.ts`)}`), {
      DATABASE_URL: serviceUrl,
      JWKS_URL: identity.jwksUrl.href,
      JWT_ISSUER: identity.issuer,
      ETAG_KEYS: 'a key of the tests that is as long as it has to be',
      REQUEST_DEADLINE_MS: `${requestDeadlineMs}`,
    });
    processes.set(name, subgraph);
  }

  const processOf = (name: string): ServiceProcess => {
    const subgraph = processes.get(name);
    if (subgraph === undefined) {
      throw new Error(`${name} was not started`);
    }
    return subgraph;
  };

  /** Asks for each way in that only reads. */
  function askAll(name: string): Promise<GraphqlBody[]> {
    const reads = probesOf(schemaOf(name)).filter(({ place }) => !place.startsWith('Mutation'));
    return Promise.all(
      reads.map(async (probe) => {
        const response = await fetch(`${processOf(name).url}/graphql`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify({ query: probe.document(identifier) }),
        });
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what it holds is what the test is about
        return (await response.json()) as GraphqlBody;
      }),
    );
  }

  const isReady = async (name: string): Promise<boolean> =>
    (await fetch(`${processOf(name).adminUrl}/readyz`)).ok;

  async function whileStopped<Result>(happen: () => Promise<Result>): Promise<Result> {
    const stopped = postgres.processIds();
    for (const pid of stopped) {
      process.kill(pid, 'SIGSTOP');
    }
    try {
      return await happen();
    } finally {
      for (const pid of stopped) {
        process.kill(pid, 'SIGCONT');
      }
    }
  }

  it('every subgraph answers with errors, and recovers when PostgreSQL resumes', async () => {
    const well = await ofEach(askAll);
    expect(well.flat().flatMap(({ errors = [] }) => errors)).toEqual([]);
    const { hung, ready } = await whileStopped(async () => ({
      hung: await ofEach(askAll),
      ready: await ofEach(isReady),
    }));

    for (const responses of hung) {
      const codes = responses.flatMap(({ errors = [] }) => errors.map(({ extensions }) => extensions.code));
      expect(new Set(codes)).toEqual(new Set(['GATEWAY_TIMEOUT']));
    }
    expect(new Set(ready)).toEqual(new Set([false]));
    expect(await ofEach(askAll)).toEqual(well);
    expect(new Set(await ofEach(isReady))).toEqual(new Set([true]));
  });
});

function ofEach<Result>(ask: (name: string) => Promise<Result>): Promise<Result[]> {
  return Promise.all(shippedSubgraphs.map(ask));
}
