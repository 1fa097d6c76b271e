import { createHmac, randomBytes } from 'node:crypto';

/** The prefix of secrets in Standard Webhooks 1.0. */
const prefix = 'whsec_';

/** A new secret: 256 bits, as receivers get it. */
export function newWebhookSecret(): string {
  return prefix + randomBytes(32).toString('base64');
}

/** The owner of a secret, to which the box that encrypts it binds it. */
export function secretContext(tenantId: string, webhookId: string): string {
  return JSON.stringify(['webhook', tenantId, webhookId]);
}

/** A message to a webhook, before it is signed. */
export interface Message {
  readonly id: string;
  /** Seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/** The value of `webhook-signature`: one signature for each secret. Standard Webhooks 1.0, "Signature scheme". */
export function signatureOf({ id, timestamp, body }: Message, secrets: readonly string[]): string {
  return secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(prefix.length), 'base64');
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
    })
    .join(' ');
}
