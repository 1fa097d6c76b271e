import { dropOldEvents } from '@meridian/events';
import { runServiceProcess } from '@meridian/service';

import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { startDispatcher } from './dispatch/start-dispatcher.ts';
import { webhookSettings } from './webhooks/webhook-settings.ts';

await runServiceProcess('accounts', readConfig(), (dependencies, beforeClose) => {
  dropOldEvents(dependencies.database, dependencies.logger);
  const webhooks = webhookSettings(dependencies);
  const dispatcher = webhooks && startDispatcher(webhooks, dependencies);
  if (dispatcher !== undefined) {
    beforeClose(() => dispatcher.stop());
  }
  return createApp({
    ...dependencies,
    webhooks,
    onWrite: dispatcher && ((tenantId) => dispatcher.wake(tenantId)),
  });
});
