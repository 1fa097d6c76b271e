import { describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import { manifestOf, persisted } from '../support/test-gateway.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { useUsageDatabase } from '../support/use-usage-database.ts';
import { replaceFile } from '../support/replace-file.ts';

const config = JSON.stringify({
  persisted_queries: {
    enabled: true,
    hot_reload: true,
    safelist: { enabled: true, require_id: true },
    local_manifests: ['${env.MANIFEST_PATH}'],
  },
  meridian: { usage: { flush_interval: '20ms' } },
});
const web = { 'apollographql-client-name': 'web', 'apollographql-client-version': '1.2' };

const usageDatabase = useUsageDatabase();
const gateway = useTestGateway();

async function start(
  manifest: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = { DATABASE_URL: usageDatabase.url },
): Promise<void> {
  await gateway.start({ manifest, config, env });
}

async function replace(manifest: Readonly<Record<string, string>>): Promise<void> {
  await replaceFile(gateway.manifestPath, manifestOf(manifest));
}

/** Waits until what the gateway does in the background with an identifier is in the database. */
async function untilRegistered(id: string): Promise<void> {
  await eventually(async () => {
    expect(
      await usageDatabase.database.query('select from registered_operations where id = $1', [id]),
    ).toHaveLength(1);
  });
}

describe('A recorded manifest identifier', () => {
  it('keeps its text across restarts and after it left the manifest', async () => {
    await start({ kept: 'query Kept { time }' });
    await untilRegistered('kept');
    await gateway.close();

    await start({ kept: 'query Kept { now: time }', other: 'query Other { time }' });
    expect((await gateway.post(persisted('kept'))).body).toEqual({ data: { time: 'now' } });
    expect((await gateway.post(persisted('other'))).body).toEqual({ data: { time: 'now' } });
    await gateway.logged({ level: 'error', manifest: gateway.manifestPath, id: 'kept' });

    await replace({ other: 'query Other { time }' });
    await eventually(async () =>
      expect((await gateway.post(persisted('kept'))).code).toBe('PERSISTED_QUERY_NOT_IN_LIST'),
    );
    await replace({ kept: 'query Kept { now: time }' });
    await eventually(async () =>
      expect((await gateway.post(persisted('kept'))).body).toEqual({ data: { time: 'now' } }),
    );
  });

  it('does not stop a start without the database', async () => {
    await start(
      { free: 'query Free { time }' },
      { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing', SHUTDOWN_GRACE_MS: '500' },
    );
    expect((await gateway.post(persisted('free'))).body).toEqual({ data: { time: 'now' } });
    await gateway.logged({
      level: 'warn',
      msg: 'the registered texts of identifiers are unknown; using the texts of the manifest',
    });
  });
});

describe('Identifiers that leave the manifest', () => {
  it('are logged with the client that used them last', async () => {
    await start({
      used: 'query Used { time }',
      unused: 'query Unused { time }',
      stays: 'query Stays { time }',
    });
    await gateway.post(persisted('used'), web);
    await eventually(async () => {
      expect(
        await usageDatabase.database.query(
          "select from operations where name = 'Used' and text_key is not null",
        ),
      ).toHaveLength(1);
    });
    await replace({ stays: 'query Stays { time }' });
    await gateway.logged({
      level: 'warn',
      msg: 'identifiers that clients use were removed from the manifest; requests with them are now rejected',
      identifiers: ['used'],
      operations: ['Used'],
      left: 1,
      lastUses: [expect.stringMatching(/^used: 1 request, by web 1\.2 \(Used, last on [-\d]+\)$/)],
    });
    await gateway.logged({ level: 'info', identifiers: ['unused'], left: 1 });
  });

  it('are logged when no usage is recorded too', async () => {
    await start({ one: 'query One { time }', two: 'query Two { time }' }, {});
    await replace({ one: 'query One { time }' });
    await gateway.logged({
      level: 'warn',
      identifiers: ['two'],
      msg: 'identifiers were removed from the manifest; their usage is unknown',
    });
  });
});
