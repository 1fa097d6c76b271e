import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@meridian/telemetry';
import { connectDatabase } from '@meridian/database';
import type { Database } from '@meridian/database';
import { eventually } from '@meridian/testing';

import { renewSecrets } from '../../src/dispatch/renew-secrets.ts';
import { createWebhookQueue } from '../../src/store/webhook-queue.ts';
import { createSecretBox } from '../../src/webhooks/secret-box.ts';
import { secretContext } from '../../src/webhooks/webhook-secret.ts';
import { startAccounts, testKey } from '../running-accounts.ts';
import type { RunningAccounts } from '../running-accounts.ts';

const newKey = 'the key that comes after the key of the tests, and is as long';

it('A secret that an earlier release stored is decrypted', () => {
  const stored = 'ZfhCp3uH.3Ecnm0lPP18iUTRqLLiorJ4mw7DC7AnW5unVnKDFqGf6LnA--Do';
  expect(createSecretBox([testKey]).open('acme savings', stored)).toBe('whsec_AAAA');
});

describe('A new key before the old one', () => {
  let accounts: RunningAccounts;
  let database: Database;
  beforeAll(async () => {
    accounts = await startAccounts();
    database = connectDatabase({
      url: accounts.storeUrl,
      applicationName: 'renewal',
      poolSize: 2,
      statementTimeoutMs: 5000,
      logger: { warn: () => undefined },
    });
  });
  afterAll(async () => {
    await database.close();
    await accounts.stop();
  });

  it('encrypts the secrets of all tenants, so that the old one can go; a lost secret stays as it is', async () => {
    const secrets = new Map<string, { tenant: string; secret: string }>();
    for (const tenant of ['acme', 'globex'] as const) {
      const url = 'https://example.com/hooks';
      const { text } = await accounts.post('/webhooks', JSON.stringify({ url }), { tenant }).expect(201);
      const { id, secret } = JSON.parse(text) as { id: string; secret: string };
      secrets.set(id, { tenant, secret });
    }
    await accounts.admin.query(`update webhooks set sealed_secrets = sealed_secrets || 'unknown.AAAA'::text,
      secret_ends = secret_ends || 'infinity'::timestamptz where tenant_id = 'acme'`);

    const end = renewSecrets({
      queue: createWebhookQueue(database),
      secrets: createSecretBox([newKey, testKey]),
      logger: createLogger({ service: 'accounts', level: 'silent' }),
    });
    const box = createSecretBox([newKey]);
    await eventually(async () => {
      const { rows } = await accounts.admin.query<{ id: string; sealed: string[] }>(
        'select id, sealed_secrets as sealed from webhooks',
      );
      expect(rows).toHaveLength(2);
      for (const { id, sealed } of rows) {
        const { tenant = '', secret } = secrets.get(id) ?? {};
        expect(box.open(secretContext(tenant, id), sealed[0] ?? '')).toBe(secret);
        expect(box.open(secretContext('other', id), sealed[0] ?? '')).toBeUndefined();
        expect(sealed.slice(1)).toEqual(tenant === 'acme' ? ['unknown.AAAA'] : []);
      }
    });
    end();
  });
});
