import type { Logger } from '@meridian/telemetry';

import type { WebhookQueue } from '../store/webhook-queue.ts';
import type { SecretBox } from '../webhooks/secret-box.ts';
import { secretContext } from '../webhooks/webhook-secret.ts';

type RenewalQueue = Pick<WebhookQueue, 'listTenants' | 'listSealedSecrets' | 'replaceSecret'>;

interface RenewalOptions {
  readonly queue: RenewalQueue;
  readonly secrets: SecretBox;
  readonly logger: Logger;
}

const intervalMs = 3_600_000;

/**
 * Encrypts all secrets of webhooks with the first key, now and each hour, while there are other keys. So an old key can go
 * an hour after the last process has started that has the new one first.
 *
 * @returns ends it
 */
export function renewSecrets(options: RenewalOptions): () => void {
  if (!options.secrets.hasOldKeys) {
    return () => undefined;
  }
  const renew = (): void => {
    renewAll(options).catch((error: unknown) => {
      options.logger.warn(
        { err: error },
        'secrets of webhooks keep their old key; trying again within the hour',
      );
    });
  };
  renew();
  const timer = setInterval(renew, intervalMs).unref();
  return () => clearInterval(timer);
}

async function renewAll({ queue, secrets, logger }: RenewalOptions): Promise<void> {
  let renewed = 0;
  let lost = 0;
  for (let after: string | undefined = ''; after !== undefined;) {
    const tenants: string[] = await queue.listTenants(after);
    for (const tenantId of tenants) {
      for (const before of await queue.listSealedSecrets(tenantId, secrets.prefix)) {
        const context = secretContext(tenantId, before.webhookId);
        const secret = secrets.open(context, before.sealedSecret);
        if (secret === undefined) {
          lost += 1;
        } else {
          await queue.replaceSecret(tenantId, before, secrets.seal(context, secret));
          renewed += 1;
        }
      }
    }
    after = tenants.at(-1);
  }
  logger.info(
    { renewed, lost },
    'secrets of webhooks have the first key; lost ones have a key that is not configured',
  );
}
