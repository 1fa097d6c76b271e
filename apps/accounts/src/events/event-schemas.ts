// An event in responses: CloudEvents 1.0, in its JSON format.
import { array, named, object, oneOf, optional, text } from '@meridian/json';
import type { Schema } from '@meridian/json';
import { availableAsJson } from '@meridian/rest';

import { accountSchema } from '../accounts/representations.ts';
import { holdSchema } from '../holds/hold-schemas.ts';
import { maxLimit } from '../pagination/page-request.ts';
import { transferSchema } from '../transfers/transfer-schemas.ts';
import { eventTypes } from './event.ts';
import type { Event } from './event.ts';

export const availableEvents = availableAsJson('Events are available as application/json.');

/** Written as the store has it, with exact integers. */
const dataSchema: Schema<string> = {
  read() {
    throw new Error('events are only written');
  },
  write: (json) => json,
  jsonSchema: (reference) => ({
    description: 'The resource after the change, in its default representation.',
    anyOf: [accountSchema, transferSchema, holdSchema].map((schema) => schema.jsonSchema(reference)),
  }),
};

const eventSchema = named(
  'Event',
  object({
    specversion: oneOf(['1.0']),
    id: text({ format: 'uuid' }),
    source: oneOf(['/accounts']),
    type: oneOf(eventTypes),
    subject: text({ format: 'uri-reference', description: 'The path of the changed resource.' }),
    time: text({ format: 'date-time', description: 'In UTC, with microseconds.' }),
    datacontenttype: oneOf(['application/json']),
    tenantid: text(),
    actorissuer: optional(text({ description: 'Of the token that the change was made with.' })),
    actor: optional(text({ description: 'Its `sub`. Absent where time caused the change.' })),
    data: dataSchema,
  }),
);

export const eventPageSchema = named(
  'EventPage',
  object({
    items: array(eventSchema, { maxItems: maxLimit }),
    next_cursor: text({ description: 'The place to go on from: `after` of the next request. Never null.' }),
  }),
);

export function eventMembers(tenantId: string, event: Event) {
  return {
    specversion: '1.0',
    id: event.id,
    source: '/accounts',
    type: event.type,
    subject: event.subject,
    time: event.time,
    datacontenttype: 'application/json',
    tenantid: tenantId,
    actorissuer: event.actor?.issuer,
    actor: event.actor?.subject,
    data: event.data,
  } as const;
}
