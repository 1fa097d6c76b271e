import { callerOf, privateCacheControl, sendResponse, signalOf } from '@meridian/http';
import { acceptedType } from '@meridian/rest';
import {
  cacheControlHeader,
  defaultLimit,
  limitParameter,
  queryParameter,
  refuseUnknownParameters,
  route,
} from '@meridian/rest/openapi';
import type { Operation, Route } from '@meridian/rest/openapi';
import { oneOf, text } from '@meridian/settings/values';

import type { EventCursors } from './event-cursors.ts';
import { availableEvents, eventMembers, eventPageSchema } from './event-schemas.ts';
import type { EventStore } from './event-store.ts';
import type { EventSource } from './event.ts';

const afterParameter = queryParameter('after', {
  description:
    'The `next_cursor` of the previous page; absent to begin with the oldest event. Valid for the same filter only.',
  // An empty text is not absent: the cursors reject it.
  type: { ...text, parse: (cursor) => cursor },
});

const subjectParameter = queryParameter('subject', {
  description: 'Only the events of this resource, by its path.',
  type: text,
});

interface EventsRouteOptions {
  readonly source: EventSource;
  readonly store: EventStore;
  readonly cursors: EventCursors;
}

/**
 * `GET /events`: the log, by cursor.
 * Contract: Ledger and events.
 */
export function eventsRoute({ source, store, cursors }: EventsRouteOptions): Route {
  const typeParameter = queryParameter('type', {
    description: 'Only the events of this type.',
    type: oneOf(source.types),
  });
  const parameters = [afterParameter, limitParameter, typeParameter, subjectParameter];
  const pageSchema = eventPageSchema(source);

  const operation: Operation = {
    id: 'listEvents',
    summary: 'List events',
    description:
      'Every committed change of the tenant, once, oldest first, as CloudEvents 1.0. A reader that goes on from `next_cursor` misses none, whatever the order of commits. The events of one resource are in the order of its changes.',
    tag: 'Events',
    scope: 'events:read',
    parameters,
    responses: {
      200: {
        description: 'A page, oldest first; empty when there is nothing new.',
        headers: [cacheControlHeader(privateCacheControl)],
        content: { 'application/json': pageSchema },
      },
    },
    problems: ['invalid-cursor', 'cursor-expired'],
  };

  return route(operation, async (request, response) => {
    const { tenantId } = callerOf(request);
    acceptedType(request, availableEvents);
    refuseUnknownParameters(request, parameters);
    const filter = { type: typeParameter.of(request), subject: subjectParameter.of(request) };
    const limit = limitParameter.of(request) ?? defaultLimit;
    const after = cursors.open(tenantId, filter, afterParameter.of(request));

    const { events, end } = await store.list(tenantId, { ...filter, after, limit }, signalOf(request));
    sendResponse(request, response, {
      status: 200,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': privateCacheControl },
      body: pageSchema.write({
        items: events.map((event) => eventMembers(source, tenantId, event)),
        next_cursor: cursors.seal(tenantId, filter, end),
      }),
    });
  });
}
