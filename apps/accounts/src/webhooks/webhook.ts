// A webhook in requests and in responses. The rows of the store have the same members.
import { array, named, nullable, object, oneOf, optional, printable, text } from '@meridian/json';
import type { Schema, ValueOf } from '@meridian/json';
import { availableAsJson } from '@meridian/rest';

import { accountEvents } from '../events/account-events.ts';

export const availableWebhooks = availableAsJson('Webhooks are available as application/json.');

/** The most webhooks of a tenant. */
export const maxWebhooks = 100;

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

const typesSchema = distinct(
  array(oneOf(accountEvents.types), {
    minItems: 1,
    maxItems: accountEvents.types.length,
    description:
      'The types of events that are sent. Null, which is the default, for all, also for later ones.',
  }),
);

const descriptionSchema = text({
  pattern: printable,
  maxLength: maxDescriptionLength,
  takes: `a string of at most ${maxDescriptionLength} printable characters`,
  description: 'For its readers.',
});

const statusSchema = (description?: string) =>
  oneOf(['active', 'disabled'], description === undefined ? {} : { description });

const newMembers = {
  url: urlSchema,
  types: optional(nullable(typesSchema)),
  description: optional(nullable(descriptionSchema)),
};

export const newWebhookSchema = named('NewWebhook', object(newMembers));

export type NewWebhook = ValueOf<typeof newWebhookSchema>;

/** A merge patch (RFC 7396). */
export const webhookPatchSchema = named(
  'WebhookPatch',
  object({
    ...newMembers,
    url: optional(urlSchema),
    status: optional(
      statusSchema(
        'A disabled webhook gets nothing: its pending deliveries wait, and events of that time are not sent later.',
      ),
    ),
  }),
);

/** The members that a patch sets. */
export type WebhookPatch = ValueOf<typeof webhookPatchSchema>;

/** A rotation has no members. */
export const newSecretSchema = named('NewWebhookSecret', object({}));

const webhookMembers = {
  id: text({ format: 'uuid' }),
  url: urlSchema,
  types: nullable(array(text({ examples: ['account.updated'] }))),
  description: nullable(descriptionSchema),
  status: statusSchema(),
  disabled_reason: nullable(
    oneOf(['requested', 'failing', 'gone'], {
      description: 'By a PATCH; after failures alone for five days; by a 410. Null while it is active.',
    }),
  ),
  failing_since: nullable(
    text({ format: 'date-time', description: 'The first failed attempt since the last success.' }),
  ),
  created_at: text({ format: 'date-time', description: 'In UTC, with microseconds.' }),
};

export const webhookSchema = named('Webhook', object(webhookMembers));

/** An endpoint of a tenant that gets its events. */
export type Webhook = ValueOf<typeof webhookSchema>;

export const webhookWithSecretSchema = named(
  'WebhookWithSecret',
  object({
    ...webhookMembers,
    secret: text({
      pattern: /^whsec_[A-Za-z0-9+/]+={0,2}$/u,
      description: 'Verifies signatures (Standard Webhooks 1.0). Never shown again.',
    }),
  }),
);

/** The same array, in which an item that is given twice counts once. */
function distinct<Item>(schema: Schema<readonly Item[]>): Schema<readonly Item[]> {
  return { ...schema, read: (json, path) => [...new Set(schema.read(json, path))] };
}
