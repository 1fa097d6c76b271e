import { callerOf, privateCacheControl, sendResponse, signalOf } from '@meridian/http';
import { cacheControlHeader, queryParameter, refuseUnknownParameters } from '@meridian/rest/openapi';
import type { Operation } from '@meridian/rest/openapi';
import { problem } from '@meridian/problem-details';
import { acceptedType } from '@meridian/rest';
import type { CursorScope, Cursors } from '@meridian/rest';
import { oneOf, text } from '@meridian/settings/values';
import type { RequestHandler } from 'express';

import { availableEvents, eventMembers, eventPageSchema } from '../../events/event-schemas.ts';
import { eventTypes } from '../../events/event.ts';
import type { LogPosition } from '../../events/event.ts';
import { filterText } from '../../pagination/filter-text.ts';
import { defaultLimit, limitParameter } from '../../pagination/page-request.ts';
import type { EventStore } from '../../store/event-store.ts';

const afterParameter = queryParameter('after', {
  description:
    'The `next_cursor` of the previous page; absent to begin with the oldest event. Valid for the same filter only.',
  // An empty text is not absent: the cursors reject it.
  type: { ...text, parse: (cursor) => cursor },
});

const typeParameter = queryParameter('type', {
  description: 'Only the events of this type.',
  type: oneOf(eventTypes),
});

const subjectParameter = queryParameter('subject', {
  description: 'Only the events of this resource, by its path.',
  type: text,
});

const parameters = [afterParameter, limitParameter, typeParameter, subjectParameter];

export const listEventsOperation: Operation = {
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
      content: { 'application/json': eventPageSchema },
    },
  },
  problems: ['invalid-cursor', 'cursor-expired'],
};

/**
 * `GET /events`: the log, by cursor.
 * Contract: Ledger and events.
 */
export function listEvents(events: EventStore, cursors: Cursors): RequestHandler {
  return async (request, response) => {
    const { tenantId } = callerOf(request);
    acceptedType(request, availableEvents);
    refuseUnknownParameters(request, parameters);
    const type = typeParameter.of(request);
    const subject = subjectParameter.of(request);
    const limit = limitParameter.of(request) ?? defaultLimit;
    const scope = { tenantId, collection: '/events', filter: filterText({ type, subject }) };
    const after = positionOf(afterParameter.of(request), { cursors, scope });

    const page = await events.list(tenantId, { after, limit, type, subject }, signalOf(request));
    sendResponse(request, response, {
      status: 200,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': privateCacheControl },
      body: eventPageSchema.write({
        items: page.events.map((event) => eventMembers(tenantId, event)),
        next_cursor: cursors.seal(scope, [String(page.end.position), String(page.end.period)]),
      }),
    });
  };
}

/** The log has these ten days and the three before. */
const keptPeriods = 3;

/** @throws {Problem} `invalid-cursor`, `cursor-expired` */
function positionOf(
  cursor: string | undefined,
  { cursors, scope }: { readonly cursors: Cursors; readonly scope: CursorScope },
): LogPosition {
  const oldest = Math.floor(Date.now() / 864_000_000) - keptPeriods;
  if (cursor === undefined) {
    return { position: 0n, period: oldest };
  }
  const [position = '', period = ''] = cursors.open(scope, cursor);
  if (Number(period) < oldest) {
    throw problem('cursor-expired', 'The log does not go back to the place of this cursor any more.');
  }
  return { position: BigInt(position), period: Number(period) };
}
