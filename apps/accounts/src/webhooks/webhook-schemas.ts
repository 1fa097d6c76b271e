// A webhook and its deliveries in requests and in responses.
import {
  array,
  int64,
  named,
  nullable,
  object,
  oneOf,
  optional,
  printable,
  text,
  transform,
} from '@meridian/json';
import type { ReadableSchema, ValueOf } from '@meridian/json';
import { availableAsJson } from '@meridian/rest';

import { accountEvents } from '../events/account-events.ts';
import { deliveryErrors, deliveryStatuses, disabledReasons, webhookStatuses } from './webhook.ts';
import type { Delivery, Webhook, WebhookStatus } from './webhook.ts';

export const availableWebhooks = availableAsJson('Webhooks are available as application/json.');

const maxUrlLength = 2048;
const maxDescriptionLength = 255;

const urlSchema = text({
  // PostgreSQL's text has no U+0000. Everything else is for the rules of a webhook's URL to refuse.
  pattern: printable,
  maxLength: maxUrlLength,
  takes: `a URL of at most ${maxUrlLength} printable characters`,
  format: 'uri',
  description: 'Where events are sent, by POST: https, without credentials, at a public address.',
  examples: ['https://example.com/hooks'],
});

const typesSchema = array(oneOf(accountEvents.types), {
  minItems: 1,
  maxItems: accountEvents.types.length,
  description: 'The types of events that are sent. Null, which is the default, for all, also for later ones.',
});

const descriptionSchema = text({
  pattern: printable,
  maxLength: maxDescriptionLength,
  takes: `a string of at most ${maxDescriptionLength} printable characters`,
  description: 'For its readers.',
});

/** A client's input for a webhook. */
export type WebhookInput = Pick<Webhook, 'url' | 'types' | 'description'>;

export const newWebhookSchema: ReadableSchema<WebhookInput> = named(
  'NewWebhook',
  transform(
    object({
      url: urlSchema,
      types: optional(nullable(typesSchema)),
      description: optional(nullable(descriptionSchema)),
    }),
    ({ url, types, description }) => ({
      url,
      types: types ? distinct(types) : null,
      description: description ?? null,
    }),
  ),
);

/** The members that a patch sets. */
export interface WebhookPatch {
  readonly url?: string | undefined;
  readonly types?: readonly string[] | null | undefined;
  readonly description?: string | null | undefined;
  readonly status?: WebhookStatus | undefined;
}

/** A merge patch (RFC 7396). */
export const webhookPatchSchema: ReadableSchema<WebhookPatch> = named(
  'WebhookPatch',
  transform(
    object({
      url: optional(urlSchema),
      types: optional(nullable(typesSchema)),
      description: optional(nullable(descriptionSchema)),
      status: optional(
        oneOf(webhookStatuses, {
          description:
            'A disabled webhook gets nothing: its pending deliveries wait, and events of that time are not sent later.',
        }),
      ),
    }),
    (patch) => (patch.types ? { ...patch, types: distinct(patch.types) } : patch),
  ),
);

function distinct(types: readonly string[]): readonly string[] {
  return [...new Set(types)];
}

/** Neither has members. */
export const newSecretSchema: ReadableSchema<object> = named('NewWebhookSecret', object({}));
export const newRetrySchema: ReadableSchema<object> = named('NewRetry', object({}));

const dateTime = (description: string) => text({ format: 'date-time', description });

const webhookMembersSchema = {
  id: text({ format: 'uuid' }),
  url: urlSchema,
  types: nullable(array(text({ examples: ['account.updated'] }))),
  description: nullable(descriptionSchema),
  status: oneOf(webhookStatuses),
  disabled_reason: nullable(
    oneOf(disabledReasons, {
      description: 'By a PATCH; after failures alone for five days; by a 410. Null while it is active.',
    }),
  ),
  failing_since: nullable(dateTime('The first failed attempt since the last success.')),
  created_at: dateTime('In UTC, with microseconds.'),
};

export const webhookSchema = named('Webhook', object(webhookMembersSchema));

export const webhookWithSecretSchema = named(
  'WebhookWithSecret',
  object({
    ...webhookMembersSchema,
    secret: text({
      pattern: /^whsec_[A-Za-z0-9+/]+={0,2}$/u,
      description: 'Verifies signatures (Standard Webhooks 1.0). Never shown again.',
    }),
  }),
);

export const deliverySchema = named(
  'Delivery',
  object({
    id: text({ format: 'uuid' }),
    event_id: text({
      format: 'uuid',
      description: 'The `id` of the event, and the `webhook-id` of each attempt.',
    }),
    status: oneOf(deliveryStatuses),
    attempts: int64({ minimum: 0n, description: 'The attempts that have ended.' }),
    last_status: nullable(
      int64({ minimum: 100n, description: 'Of the last response; null where none came.' }),
    ),
    last_error: nullable(oneOf(deliveryErrors)),
    next_attempt_at: nullable(dateTime('Null unless it is pending.')),
  }),
);

export function webhookMembers(webhook: Webhook): ValueOf<typeof webhookSchema> {
  return {
    id: webhook.id,
    url: webhook.url,
    types: webhook.types,
    description: webhook.description,
    status: webhook.status,
    disabled_reason: webhook.disabledReason,
    failing_since: webhook.failingSince,
    created_at: webhook.createdAt,
  };
}

/** A webhook as `application/json`. */
export function writeWebhook(webhook: Webhook): string {
  return webhookSchema.write(webhookMembers(webhook));
}

/** The same with its new secret. */
export function writeWebhookWithSecret(webhook: Webhook, secret: string): string {
  return webhookWithSecretSchema.write({ ...webhookMembers(webhook), secret });
}

export function deliveryMembers(delivery: Delivery): ValueOf<typeof deliverySchema> {
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    status: delivery.status,
    attempts: BigInt(delivery.attempts),
    last_status: delivery.lastStatus === null ? null : BigInt(delivery.lastStatus),
    last_error: delivery.lastError,
    next_attempt_at: delivery.nextAttemptAt,
  };
}
