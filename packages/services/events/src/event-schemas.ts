// An event in responses: CloudEvents 1.0, in its JSON format.
import { array, named, object, oneOf, optional, text } from '@meridian/json';
import type { Schema } from '@meridian/json';
import type { Available } from '@meridian/rest';
import { maxLimit } from '@meridian/rest/openapi';
import type { Content } from '@meridian/rest/openapi';

import type { Event, EventSource } from './event.ts';

/** A page of the log, or the log as it grows. */
export const availableEvents: Available<'application/json' | 'text/event-stream'> = {
  mediaTypes: ['application/json', 'text/event-stream'],
  detail: 'Events are available as application/json and text/event-stream.',
};

/** Written as the store has it, with exact integers. */
const dataSchema = ({ data }: EventSource): Schema<string> => ({
  read() {
    throw new Error('events are only written');
  },
  write: (json) => json,
  jsonSchema(reference) {
    const schemas = data.map((schema) => schema.jsonSchema(reference));
    return {
      description: 'The resource after the change, in its default representation.',
      ...(schemas.length === 1 ? schemas[0] : { anyOf: schemas }),
    };
  },
});

export const eventSchema = (source: EventSource) =>
  named(
    'Event',
    object({
      specversion: oneOf(['1.0']),
      id: text({ format: 'uuid' }),
      source: oneOf([source.source]),
      type: oneOf(source.types),
      subject: text({ format: 'uri-reference', description: 'The path of the changed resource.' }),
      time: text({ format: 'date-time', description: 'In UTC, with microseconds.' }),
      datacontenttype: oneOf(['application/json']),
      tenantid: text(),
      actorissuer: optional(text({ description: 'Of the token that the change was made with.' })),
      actor: optional(text({ description: 'Its `sub`. Absent where time caused the change.' })),
      data: dataSchema(source),
    }),
  );

export const eventPageSchema = (source: EventSource) =>
  named(
    'EventPage',
    object({
      items: array(eventSchema(source), { maxItems: maxLimit }),
      next_cursor: text({
        description: 'The place to go on from: `after` of the next request. Never null.',
      }),
    }),
  );

/** Writes an event as `GET /events` has it, byte for byte. */
export function eventWriter(source: EventSource): (tenantId: string, event: Event) => string {
  const schema = eventSchema(source);
  return (tenantId, event) => schema.write(eventMembers(source, tenantId, event));
}

export function eventMembers({ source }: EventSource, tenantId: string, event: Event) {
  return {
    specversion: '1.0',
    id: event.id,
    source,
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

/** A stream of server-sent events, as OpenAPI 3.1 can describe it. */
export const eventStreamSchema: Content[string] = {
  jsonSchema: () => ({
    type: 'string',
    description:
      'Server-sent events (WHATWG HTML, section 9.2): `id` is the cursor after the event, `data` an `Event`, without an `event` field. A comment comes after 15 s without an event.',
  }),
};
