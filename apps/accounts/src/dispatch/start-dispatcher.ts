import { eventWriter } from '@meridian/events';
import type { ServiceDependencies } from '@meridian/service';

import { accountEvents } from '../events/account-events.ts';
import { createWebhookQueue } from '../store/webhook-queue.ts';
import type { WebhookSettings } from '../webhooks/webhook-settings.ts';
import { createDispatcher } from './dispatcher.ts';
import type { Dispatcher } from './dispatcher.ts';
import { createSender } from './send-message.ts';

type Dependencies = Pick<ServiceDependencies, 'database' | 'logger' | 'metrics'>;

/** Starts to send the events of all tenants to their webhooks. */
export function startDispatcher(
  { secrets, urls }: WebhookSettings,
  { database, logger, metrics }: Dependencies,
): Dispatcher {
  return createDispatcher({
    queue: createWebhookQueue(database),
    sender: createSender(urls),
    secrets,
    writeEvent: eventWriter(accountEvents),
    logger,
    metrics,
  });
}
