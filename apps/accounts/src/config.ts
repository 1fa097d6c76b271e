import process from 'node:process';

import {
  exitOnBadEnvironment,
  generatedSecret,
  readEnvironment,
  secretList,
  variable,
} from '@meridian/settings/environment';
import { resourceConfigOf, resourceVariables, serviceConfigOf, serviceVariables } from '@meridian/service';
import type { ResourceConfig, ServiceConfig } from '@meridian/service';

import { parseNetworks } from './webhooks/address-policy.ts';
import type { WebhookConfig } from './webhooks/webhook-settings.ts';

/** The configuration of the accounts service. */
export interface Config extends ServiceConfig, ResourceConfig, WebhookConfig {}

/** An invalid environment ends the process. */
export function readConfig(): Config {
  return exitOnBadEnvironment(() => {
    const read = readEnvironment(process.env, {
      ...serviceVariables(process.env, { port: 4001, adminPort: 8081, requestDeadlineMs: 2_000 }),
      ...resourceVariables,
      WEBHOOK_SECRET_KEYS: secretList({ optional: true }),
      WEBHOOK_ALLOWED_ADDRESSES: variable(
        { takes: 'networks in CIDR notation, separated by commas', parse: parseNetworks },
        { optional: true },
      ),
    });
    const service = serviceConfigOf(process.env, read);
    const generatedKeys = service.mode === 'development' ? generatedSecret() : undefined;
    return Object.freeze({
      ...service,
      ...resourceConfigOf(read),
      webhookSecretKeys: read.WEBHOOK_SECRET_KEYS ?? generatedKeys,
      webhookAllowedAddresses: read.WEBHOOK_ALLOWED_ADDRESSES,
    });
  });
}
