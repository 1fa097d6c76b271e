import { eventWriter } from '@meridian/events';
import type { ServiceDependencies } from '@meridian/service';

import { accountEvents } from '../events/account-events.ts';
import { createWebhookQueue } from '../store/webhook-queue.ts';
import type { WebhookSettings } from '../webhooks/webhook-settings.ts';
import { createDispatcher } from './dispatcher.ts';
import type { Dispatcher } from './dispatcher.ts';
import { renewSecrets } from './renew-secrets.ts';
import { createSender } from './send-message.ts';

type Dependencies = Pick<ServiceDependencies, 'database' | 'logger' | 'metrics'>;

/** Starts to send the events of all tenants to their webhooks. */
export function startDispatcher(
  { secrets, urls }: WebhookSettings,
  { database, logger, metrics }: Dependencies,
): Dispatcher {
  const queue = createWebhookQueue(database);
  const endRenewal = renewSecrets({ queue, secrets, logger });
  const dispatcher = createDispatcher({
    queue,
    sender: createSender(urls),
    secrets,
    writeEvent: eventWriter(accountEvents),
    logger,
    metrics,
  });
  return {
    ...dispatcher,
    async stop() {
      endRenewal();
      await dispatcher.stop();
    },
  };
}
