import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { queryHash } from '@meridian/manifest';
import { readKnownGraph, readUsageFile } from '@meridian/schema-check';
import { eventually } from '@meridian/testing';

import { exportUsage } from '../../src/commands/export-usage.ts';
import { createIdentifierStore } from '../../src/usage/identifier-store.ts';
import { createUsageRecords } from '../../src/usage/usage-records.ts';
import { createUsageStore } from '../../src/usage/usage-store.ts';
import { persisted, startTestGateway } from '../support/test-gateway.ts';
import { useUsageDatabase } from '../support/use-usage-database.ts';
import { useFolder } from '../support/use-folder.ts';

const today = new Date().toISOString().slice(0, 10);

const usageDatabase = useUsageDatabase();
const folder = useFolder();

describe('pnpm graph usage --export', () => {
  it('writes what pnpm check --usage reads: operations with their texts, clients, counts and days', async () => {
    const signal = AbortSignal.timeout(10_000);
    const text = 'query Names { topProducts { name } }';
    await createIdentifierStore(usageDatabase.database).register(
      [{ key: 'k', id: 'names', clientName: undefined, text, queryHash: queryHash(text) }],
      signal,
    );
    const counts = { day: today, failed: 0, cost: 1, durations: [1], inputs: ['Order.UP'] };
    await createUsageStore(usageDatabase.database).record(
      {
        id: randomUUID(),
        operations: [
          {
            id: 'aa',
            name: 'Names',
            fields: ['Query.topProducts', 'Product.name'],
            queryHash: queryHash(text),
          },
          { id: 'bb', name: '', fields: ['Query.me'] },
        ],
        usage: [
          { ...counts, operationId: 'aa', clientName: 'web', clientVersion: '1.2', requests: 3 },
          { ...counts, operationId: 'aa', clientName: 'app', clientVersion: '4', requests: 2 },
          { ...counts, operationId: 'bb', clientName: '', clientVersion: '', requests: 1 },
        ],
      },
      signal,
    );
    const path = join(folder, 'usage.json');
    await exportUsage({ path, days: 30 }, usageDatabase.url);

    const use = { lastDay: today, inputs: ['Order.UP'], failedShare: 0, p95Ms: 1 };
    expect(readUsageFile(path)).toMatchObject({
      days: 30,
      recordedDays: 1,
      operations: [
        {
          name: '',
          text: null,
          queryHash: null,
          fields: ['Query.me'],
          uses: [{ ...use, client: '', requests: 1 }],
        },
        {
          name: 'Names',
          text,
          queryHash: queryHash(text),
          fields: ['Product.name', 'Query.topProducts'],
          uses: [
            { ...use, client: 'app', version: '4', requests: 2, daily: { [today]: 2 }, cost: 1 },
            { ...use, client: 'web', version: '1.2', requests: 3 },
          ],
        },
      ],
    });
  });

  it('is joined with the operations of the manifest that the gateway ran', async () => {
    // As the manifest's file is named: the app that it is of.
    const app = 'persisted-queries';
    await using gateway = await startTestGateway({
      config: JSON.stringify({
        persisted_queries: { enabled: true, local_manifests: ['${env.MANIFEST_PATH}'] },
        meridian: { usage: { flush_interval: '20ms' } },
      }),
      env: { DATABASE_URL: usageDatabase.url },
      manifest: { listed: 'query Listed { topProducts { name } }' },
      async prepare(directory) {
        // So that the folder is a repository that `pnpm check` reads.
        const products = { routing_url: 'http://products', schema: { file: 'products.graphql' } };
        const supergraph = { federation_version: '=2.14.4', subgraphs: { products } };
        await writeFile(join(directory, 'supergraph.yaml'), JSON.stringify(supergraph));
        await writeFile(join(directory, 'products.graphql'), 'type Query { topProducts: [String] }');
        return {};
      },
    });
    await gateway.post(persisted('listed'), {
      'apollographql-client-name': app,
      'apollographql-client-version': '7',
    });
    await eventually(async () => {
      expect(await createUsageRecords(usageDatabase.database).operationUses(30)).toContainEqual(
        expect.objectContaining({ clientName: app }),
      );
    });
    const path = join(folder, 'listed.json');
    await exportUsage({ path, days: 30 }, usageDatabase.url);
    const { operations } = readKnownGraph({
      root: dirname(gateway.manifestPath),
      usage: readUsageFile(path),
    });
    expect(operations.filter(({ operation }) => operation.name === 'Listed')).toMatchObject([
      { operation: { identifiers: ['listed'], clients: [{ name: app, version: '7', requests: 1 }] } },
    ]);
  });

  it('joins the inputs of all days, and knows none where an earlier release counted some of the requests', async () => {
    const signal = AbortSignal.timeout(10_000);
    const counts = { failed: 0, cost: 1, durations: [1], requests: 1, operationId: 'cc', clientVersion: '' };
    const operation = { id: 'cc', name: 'Sorted', fields: ['Query.me'] };
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const record = async (clientName: string, day: string, inputs: readonly string[]): Promise<void> =>
      await createUsageStore(usageDatabase.database).record(
        { id: randomUUID(), operations: [operation], usage: [{ ...counts, clientName, day, inputs }] },
        signal,
      );
    await record('web', today, ['Order.UP']);
    await record('web', today, ['Filter', 'Filter.text']);
    await record('web', yesterday, ['Order.DOWN']);
    await record('old', today, ['Order.UP']);
    await usageDatabase.database.query('select record_usage($1, $2::jsonb, $3::jsonb)', [
      randomUUID(),
      JSON.stringify([operation]),
      JSON.stringify([{ day: today, id: 'cc', client_name: 'old', client_version: '', requests: 3 }]),
    ]);
    const path = join(folder, 'inputs.json');
    await exportUsage({ path, days: 30 }, usageDatabase.url);
    const uses = readUsageFile(path).operations.find(({ name }) => name === 'Sorted')?.uses;
    expect(uses?.map(({ client, inputs }) => [client, inputs])).toEqual([
      ['old', null],
      ['web', ['Filter', 'Filter.text', 'Order.DOWN', 'Order.UP']],
    ]);
  });
});
