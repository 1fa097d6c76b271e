import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { callCommand, eventually, startServiceProcess } from '@meridian/testing';
import type { CommandEnding } from '@meridian/testing';

import { exportUsage } from '../../src/commands/export-usage.ts';
import { createUsageRecords } from '../../src/usage/usage-records.ts';
import { createUsageStore } from '../../src/usage/usage-store.ts';
import { manifestOf, persisted } from '../support/test-gateway.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { useUsageDatabase } from '../support/use-usage-database.ts';

const today = new Date().toISOString().slice(0, 10);
const web = { 'apollographql-client-name': 'web', 'apollographql-client-version': '1.2' };

const usageDatabase = useUsageDatabase();
const gateway = useTestGateway();

afterEach(async () => {
  await gateway.close();
  await usageDatabase.database.query('select forget_usage(-1)');
});

async function start(usage: object = { flush_interval: '20ms' }): Promise<void> {
  await gateway.start({
    config: JSON.stringify({ meridian: { usage } }),
    env: { DATABASE_URL: usageDatabase.url },
  });
}

function uses(...fields: string[]) {
  return createUsageRecords(usageDatabase.database).uses(30, fields.length > 0 ? { fields } : {});
}

async function untilRecorded(requests: number): Promise<void> {
  await eventually(async () => {
    const operations = await createUsageRecords(usageDatabase.database).operationUses(30);
    expect(operations.reduce((sum, use) => sum + use.requests, 0)).toBe(requests);
  });
}

describe('The usage of several graphs', () => {
  it('is recorded apart, with texts of their own for one identifier', async () => {
    const texts = { shop: 'query A { time }', partner: 'query A { topProducts { name } }' };
    const graph = (name: string): string =>
      `${name}: { path: /${name}, config: "\${env.FOLDER}/${name}.yaml" }`;
    await gateway.start({
      config: `meridian: { usage: { flush_interval: 20ms }, graphs: { ${graph('shop')}, ${graph('partner')} } }`,
      env: { DATABASE_URL: usageDatabase.url },
      async prepare(folder) {
        for (const [name, text] of Object.entries(texts)) {
          const manifest = join(folder, `${name}.json`);
          await writeFile(manifest, manifestOf({ one: text }));
          await writeFile(
            join(folder, `${name}.yaml`),
            `persisted_queries: { enabled: true, local_manifests: ["${manifest}"] }`,
          );
        }
        return { FOLDER: folder };
      },
    });
    for (const name of ['shop', 'partner', 'partner']) {
      const response = await fetch(new URL(`/${name}`, gateway.url), {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(persisted('one')),
      });
      expect(await response.json()).not.toHaveProperty('errors');
    }
    await untilRecorded(3);
    const records = createUsageRecords(usageDatabase.database);
    expect(await records.operationUses(30, { graph: 'partner' })).toMatchObject([{ requests: 2 }]);
    expect(await records.exportedUses(30, 'shop')).toMatchObject([{ requests: 1, text: texts.shop }]);
    const path = join(tmpdir(), `usage-${process.pid}.json`);
    await expect(exportUsage({ path, days: 30 }, usageDatabase.url)).rejects.toThrow(
      'Usage is recorded of several graphs. Name one: --graph partner, --graph shop',
    );
    await exportUsage({ path, days: 30, graph: 'shop' }, usageDatabase.url);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ operations: [{ text: texts.shop }] });
    await rm(path);
    const registered = await usageDatabase.database.query(
      'select text from registered_operations where id = $1',
      ['one'],
    );
    expect(registered).toHaveLength(2);
  });
});

describe('The usage of fields', () => {
  it('is recorded by operation, client and day', async () => {
    await start();
    const query = 'query Names { topProducts { name } }';
    await gateway.post({ query }, web);
    await gateway.post({ query }, web);
    await gateway.post({ query });
    await gateway.close();
    const use = { operation: 'Names', lastDay: today };
    const byWeb = { ...use, clientName: 'web', clientVersion: '1.2', requests: 2 };
    const byUnnamed = { ...use, clientName: '', clientVersion: '', requests: 1 };
    expect(await uses()).toEqual([
      { field: 'Product.name', ...byWeb },
      { field: 'Product.name', ...byUnnamed },
      { field: 'Query.topProducts', ...byWeb },
      { field: 'Query.topProducts', ...byUnnamed },
    ]);
  });

  it('is recorded for the type that the field was selected on, through fragments, without introspection', async () => {
    await start();
    await gateway.post({
      query:
        'query Mixed($no: Boolean = false) { __typename search { __typename name ... on Voucher { ...V } } time @include(if: $no) } fragment V on Voucher { code }',
    });
    await gateway.close();
    expect((await uses()).map(({ field }) => field)).toEqual([
      'Item.name',
      'Query.search',
      'Query.time',
      'Voucher.code',
    ]);
  });

  it('is the same for the same fields under the same name, however the text is written', async () => {
    await start();
    await gateway.post({ query: 'query A { time }' });
    await gateway.post({ query: 'query A {\n  now: time\n}' });
    await gateway.close();
    expect(await uses()).toMatchObject([{ field: 'Query.time', requests: 2 }]);
  });

  it('is not recorded for request errors', async () => {
    await start();
    await gateway.post({ query: 'query A { time nothing }' });
    await gateway.close();
    expect(await uses()).toEqual([]);
  });

  it('is written while the gateway runs, and is in the metrics', async () => {
    await start();
    await gateway.post({ query: 'query A { time }' }, web);
    await eventually(async () => expect(await uses()).toHaveLength(1));
    const metrics = await gateway.metrics();
    expect(metrics).toContain('meridian_field_requests_total{field="Query.time",service="gateway"} 1');
    expect(metrics).toContain(
      'meridian_operation_requests_total{operation="A",client="web",client_version="1.2",service="gateway"} 1',
    );
  });

  it('is in the metrics alone without a database, whenever they are read', async () => {
    await gateway.start({
      config: JSON.stringify({ meridian: { usage: { flush_interval: '1h' } } }),
    });
    await gateway.post({ query: 'query A { time }' });
    await eventually(async () =>
      expect(await gateway.metrics()).toContain('meridian_field_requests_total{field="Query.time"'),
    );
  });

  it('is not recorded when meridian.usage.enabled is false', async () => {
    await start({ enabled: false });
    await gateway.post({ query: 'query A { time }' });
    await gateway.close();
    expect(await uses()).toEqual([]);
  });

  it('fails no request when the database is down', async () => {
    await gateway.start({
      config: JSON.stringify({ meridian: { usage: { flush_interval: '10ms' } } }),
      env: { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing', SHUTDOWN_GRACE_MS: '500' },
    });
    expect((await gateway.post({ query: 'query A { time }' })).body.data).toEqual({ time: 'now' });
    await gateway.logged({ msg: 'usage cannot be written; keeping it in memory and retrying' });
  });
});

describe("The report of a client's operations", () => {
  const pnpmUsage = (...flags: readonly string[]): Promise<CommandEnding> =>
    callCommand(
      new URL('../../../../tools/commands/graph.ts', import.meta.url),
      ['usage', '--supergraph', gateway.supergraphPath, ...flags],
      { env: { DATABASE_URL: usageDatabase.url } },
    );

  beforeEach(async () => {
    await start();
    gateway.products.misbehave((response) => void response.destroy());
    await gateway.post({ query: 'query Names { topProducts { name } }' }, web);
    gateway.products.reset();
    for (const headers of [web, web, web, { ...web, 'apollographql-client-version': '1.3' }]) {
      await gateway.post({ query: 'query Names { topProducts { name } }' }, headers);
    }
    await gateway.post({ query: 'query Now { time }' });
    await untilRecorded(6);
  });

  it('lists requests, errors, p95 and cost', async () => {
    const uses = await createUsageRecords(usageDatabase.database).operationUses(30, {
      clientName: 'web',
      clientVersion: '1.2',
    });
    expect(uses).toMatchObject([{ operation: 'Names', requests: 4, measured: 4, failed: 1, lastDay: today }]);
    const { code, stdout, stderr } = await pnpmUsage('--client', 'web');
    expect([code, stderr]).toEqual([0, '']);
    const row = (requests: number, errors: string): unknown =>
      expect.stringMatching(new RegExp(`^  Names +${requests} +${errors} % +\\d+ ms +\\d+\\.\\d  ${today}$`));
    expect(stdout.split('\n')).toEqual([
      'web 1.2',
      expect.stringMatching(/^ {2}operation +requests +errors +p95 +cost +last on$/),
      row(4, '25.0'),
      '',
      'web 1.3',
      expect.any(String),
      row(1, '0.0'),
      '',
      'Records reach back 1 day, today included.',
      '',
    ]);
  });

  it('prints JSON, and includes clients without a name', async () => {
    const { stdout } = await pnpmUsage('--client', '', '--operation', 'Now', '--json');
    expect(JSON.parse(stdout)).toEqual({
      days: 30,
      recordedDays: 1,
      operations: [
        {
          operation: 'Now',
          client: '',
          version: '',
          requests: 1,
          failedShare: 0,
          p95Ms: expect.any(Number),
          cost: expect.any(Number),
          lastDay: today,
        },
      ],
    });
  });

  it('finds operations by the type or the field that they use', async () => {
    const records = createUsageRecords(usageDatabase.database);
    const found = await Promise.all(
      [
        { types: ['Product'] },
        { fields: ['Query.time'] },
        { types: ['Product'], fields: ['Query.time'] },
      ].map(async (filter) => (await records.operationUses(30, filter)).map(({ operation }) => operation)),
    );
    expect(found).toEqual([['Names', 'Names'], ['Now'], []]);
    expect((await pnpmUsage('--type', 'Product')).stdout).toMatch(/^Product\.name {2}5 requests\n/);
  });

  it('finds what uses the fields that a subgraph resolves', async () => {
    const fieldsOf = async (...flags: readonly string[]): Promise<readonly string[]> => {
      const { stdout } = await pnpmUsage('--json', '--subgraph', ...flags);
      const { fields }: { fields: { field: string }[] } = JSON.parse(stdout);
      return [...new Set(fields.map(({ field }) => field))].toSorted();
    };
    expect(await fieldsOf('products')).toEqual(['Product.name', 'Query.time', 'Query.topProducts']);
    expect(await fieldsOf('products', '--field', 'Product.name')).toEqual(['Product.name']);
    expect(await fieldsOf('reviews')).toEqual([]);
    const { stdout } = await pnpmUsage('--client', 'web', '--subgraph', 'products');
    expect(stdout).toMatch(/^web 1\.2\n/);
    expect(await pnpmUsage('--subgraph', 'stock')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^There is no subgraph stock in .*; it has products, reviews\n$/),
    });
  });

  it.each([
    [1, ['--field', 'Product.nmae'], /^Product\.nmae: Product has no field nmae, but /],
    [1, ['--type', 'Prodcut'], /^Prodcut: there is no type Prodcut\n$/],
    [
      0,
      ['--field', 'Query.product'],
      /^No use is recorded in the last 30 days, and records reach back 1 day\n$/,
    ],
    [1, ['--client', 'nobody'], /^No use is recorded in the last 30 days, and records reach back 1 day\n$/],
  ])('exits %d and says exactly what is missing for %j', async (code, flags, sentence) => {
    const result = await pnpmUsage(...flags);
    expect({ code: result.code, text: code === 0 ? result.stdout : result.stderr }).toEqual({
      code,
      text: expect.stringMatching(sentence),
    });
  });
});

describe('A batch of usage', () => {
  const operation = { id: 'ab'.repeat(32), name: 'A', fields: ['Query.time'] };
  const used = {
    day: today,
    operationId: operation.id,
    clientName: '',
    clientVersion: '',
    requests: 3,
    failed: 1,
    cost: 6,
    durations: [1, 2],
    inputs: [],
  };
  const batch = (id: string, day = today) => ({
    id,
    operations: [operation],
    usage: [{ ...used, day }],
  });
  const signal = new AbortController().signal;
  const store = () => createUsageStore(usageDatabase.database);

  it('that is written twice counts once', async () => {
    await start();
    const first = batch('0190d2a0-0000-7000-8000-000000000001');
    await store().record(first, signal);
    await store().record(first, signal);
    await store().record(batch('0190d2a0-0000-7000-8000-000000000002'), signal);
    expect(await uses()).toMatchObject([{ field: 'Query.time', requests: 6 }]);
    expect(await createUsageRecords(usageDatabase.database).operationUses(30)).toMatchObject([
      { operation: 'A', requests: 6, measured: 6, failed: 2, cost: 12, durations: [2, 4] },
    ]);
  });

  it('from a gateway of the previous release is accepted, without the newer columns', async () => {
    await start();
    const { failed: _failed, cost: _cost, durations: _durations, inputs: _inputs, ...old } = used;
    await usageDatabase.database.query('select record_usage($1, $2::jsonb, $3::jsonb)', [
      '0190d2a0-0000-7000-8000-000000000301',
      JSON.stringify([operation]),
      JSON.stringify([
        { day: old.day, id: old.operationId, client_name: '', client_version: '', requests: 3 },
      ]),
    ]);
    expect(await createUsageRecords(usageDatabase.database).operationUses(30)).toMatchObject([
      { operation: 'A', requests: 3, measured: 0, failed: 0, durations: [] },
    ]);
  });

  it('may be written by several gateways at the same time', async () => {
    await start();
    const ids = Array.from({ length: 8 }, (_item, index) => `0190d2a0-0000-7000-8000-00000000010${index}`);
    await Promise.all(ids.map((id) => store().record(batch(id), signal)));
    expect(await uses()).toMatchObject([{ requests: 24 }]);
  });

  it('is deleted, with its operation, when it is older than the retention', async () => {
    await start();
    await store().record(batch('0190d2a0-0000-7000-8000-000000000201', '2020-02-29'), signal);
    await store().forget(90);
    const [row] = await usageDatabase.database.query<{ count: string }>(
      'select count(*)::text from operation_fields',
    );
    expect(row?.count).toBe('0');
  });
});

describe('SIGTERM under load', () => {
  it('loses no count: the database has as many operations as clients had responses', async () => {
    await start({ enabled: false });
    const directory = await mkdtemp(join(tmpdir(), 'meridian-usage-'));
    await writeFile(join(directory, 'router.yaml'), 'supergraph: { path: /graphql }');
    const service = await startServiceProcess(new URL('../../src/main.ts', import.meta.url), {
      NODE_ENV: 'production',
      SUPERGRAPH_PATH: gateway.supergraphPath,
      ROUTER_CONFIG_PATH: join(directory, 'router.yaml'),
      DATABASE_URL: usageDatabase.url,
      // Also on a machine that is busy with other suites, the database gets to answer.
      SHUTDOWN_GRACE_MS: '30000',
    });
    const url = `${service.url}/graphql`;
    let responses = 0;
    const reached = Promise.withResolvers<void>();
    const clients = Array.from({ length: 4 }, async () => {
      while (await hasResponse(url)) {
        responses += 1;
        if (responses === 40) {
          reached.resolve();
        }
      }
    });
    await reached.promise;
    const exitCode = service.stop();
    await Promise.all(clients);
    expect(await exitCode).toBe(0);
    expect(responses).toBeGreaterThanOrEqual(40);
    expect(await uses()).toMatchObject([{ field: 'Query.time', operation: 'Load', requests: responses }]);
    await rm(directory, { recursive: true });
  });
});

/** Resolves to true when a gateway executes an operation; false when it is gone. */
async function hasResponse(url: string): Promise<boolean> {
  let response: Response;
  try {
    response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: 'query Load { time }' }),
    });
  } catch {
    return false;
  }
  expect(await response.json()).toEqual({ data: { time: 'now' } });
  return true;
}
