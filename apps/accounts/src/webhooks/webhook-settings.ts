import type { BlockList } from 'node:net';

import type { Mode, SecretList } from '@meridian/settings/environment';

import { createAddressPolicy } from './address-policy.ts';
import { createSecretBox } from './secret-box.ts';
import type { SecretBox } from './secret-box.ts';
import type { UrlPolicy } from './webhook-url.ts';

/** The configuration of webhooks. */
export interface WebhookConfig {
  /** The first encrypts secrets of webhooks, all of them decrypt. Undefined: there are no webhooks. */
  readonly webhookSecretKeys: SecretList | undefined;
  /** The addresses that webhooks may have though they are not public. */
  readonly webhookAllowedAddresses: BlockList | undefined;
}

/** The settings of webhooks, for their routes and for sending. */
export interface WebhookSettings {
  readonly secrets: SecretBox;
  readonly urls: UrlPolicy;
}

/** The settings of webhooks. Undefined without keys for their secrets. */
export function webhookSettings({
  mode,
  webhookSecretKeys,
  webhookAllowedAddresses,
}: WebhookConfig & { readonly mode: Mode }): WebhookSettings | undefined {
  return webhookSecretKeys === undefined
    ? undefined
    : {
        secrets: createSecretBox(webhookSecretKeys),
        urls: {
          addresses: createAddressPolicy(webhookAllowedAddresses),
          allowsHttp: mode === 'development',
        },
      };
}
