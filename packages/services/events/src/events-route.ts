import type { IncomingMessage } from 'node:http';

import { StopController } from '@meridian/cancellation';
import type { StopSignal } from '@meridian/cancellation';
import { callerOf, privateCacheControl, requestContext, sendResponse, signalOf } from '@meridian/http';
import type { HttpResponse, WaitingRequests } from '@meridian/http';
import { problem } from '@meridian/problem-details';
import { acceptedType } from '@meridian/rest';
import {
  cacheControlHeader,
  defaultLimit,
  limitParameter,
  queryParameter,
  refuseUnknownParameters,
  route,
} from '@meridian/rest/openapi';
import type { HeaderDescription, Operation, ParameterDescription, Route } from '@meridian/rest/openapi';
import { integer, oneOf, text } from '@meridian/settings/values';

import type { EventCursors } from './event-cursors.ts';
import {
  availableEvents,
  eventMembers,
  eventPageSchema,
  eventSchema,
  eventStreamSchema,
} from './event-schemas.ts';
import type { EventStore } from './event-store.ts';
import { eventStream } from './event-stream.ts';
import type { EventStreamOptions } from './event-stream.ts';
import type { EventFilter, EventSource, LogPosition, LoggedEvent } from './event.ts';
import type { EventWatch } from './watch/event-watch.ts';

const afterParameter = queryParameter('after', {
  description:
    'The `next_cursor` of the previous page, valid for the same filter only. `now` for the events from now on; absent to begin with the oldest event.',
  // An empty text is not absent: the cursors reject it.
  type: { ...text, parse: (cursor) => cursor },
});

/** The value of `after` for the end of the log. No cursor is as short. */
const now = 'now';

const subjectParameter = queryParameter('subject', {
  description: 'Only the events of this resource, by its path.',
  // No path has a control character, and PostgreSQL's text has no U+0000.
  type: { ...text, parse: (path) => text.parse(path.replaceAll('\0', '\u0001')) },
});

const maxWaitSeconds = 30;

const waitParameter = queryParameter('wait', {
  description: `The seconds for which an empty page is held back, until there is an event. At most ${maxWaitSeconds}.`,
  type: integer({ minimum: 0, maximum: maxWaitSeconds }),
  annotations: { default: 0 },
});

const lastEventIdParameter: ParameterDescription = {
  name: 'Last-Event-ID',
  in: 'header',
  isRequired: false,
  description:
    'Of a stream: the `id` of the last event, as `EventSource` sends it. It counts, and `after` does not.',
  schema: { type: 'string' },
};

const bufferingHeader: HeaderDescription = {
  name: 'X-Accel-Buffering',
  isRequired: false,
  description: 'Of a stream: proxies that know it pass each event on at once.',
  schema: { type: 'string', const: 'no' },
};

interface EventsRouteOptions {
  readonly source: EventSource;
  readonly store: EventStore;
  readonly cursors: EventCursors;
  readonly watch: EventWatch;
  readonly waitingRequests: WaitingRequests;
}

/** The part of the log that a request reads. */
interface EventsRequest {
  readonly tenantId: string;
  readonly filter: EventFilter;
  readonly after: LogPosition;
  readonly limit: number;
}

/**
 * `GET /events`: the log, by cursor, at once or when it has grown, or as a stream.
 * Contract: Ledger and events.
 */
export function eventsRoute({ source, store, cursors, watch, waitingRequests }: EventsRouteOptions): Route {
  const typeParameter = queryParameter('type', {
    description: 'Only the events of this type.',
    type: oneOf(source.types),
  });
  const parameters = [afterParameter, limitParameter, typeParameter, subjectParameter, waitParameter];
  const pageSchema = eventPageSchema(source);
  const memberSchema = eventSchema(source);

  const operation: Operation = {
    id: 'listEvents',
    summary: 'List events',
    description:
      'Every committed change of the tenant, once, oldest first, as CloudEvents 1.0. A reader that goes on from `next_cursor` misses none, whatever the order of commits. The events of one resource are in the order of its changes. With `wait`, an empty page is held back until there is an event. As `text/event-stream`, the response goes on with each event, until the token expires.',
    tag: 'Events',
    scope: 'events:read',
    parameters: [...parameters, lastEventIdParameter],
    variesByAccept: true,
    responses: {
      200: {
        description: 'A page, oldest first; empty when there is nothing new. Or the stream.',
        headers: [cacheControlHeader(privateCacheControl), bufferingHeader],
        content: { 'application/json': pageSchema, 'text/event-stream': eventStreamSchema },
      },
    },
    problems: ['invalid-cursor', 'cursor-expired'],
  };

  const pageResponse = (
    { tenantId, filter }: EventsRequest,
    events: readonly LoggedEvent[],
    end: LogPosition,
  ): HttpResponse => ({
    status: 200,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': privateCacheControl },
    body: pageSchema.write({
      items: events.map((event) => eventMembers(source, tenantId, event)),
      next_cursor: cursors.seal(tenantId, filter, end),
    }),
  });
  const waitForPage = async (
    wanted: EventsRequest,
    waitSeconds: number,
    signal: StopSignal,
  ): Promise<HttpResponse> => {
    const { tenantId, filter, after, limit } = wanted;
    const over = new StopController();
    const end = (): void => over.abort(undefined);
    const timer = setTimeout(end, waitSeconds * 1000);
    signal.addEventListener('abort', end);
    const reader = watch.reader(tenantId, { filter, after, isSteady: false });
    try {
      const events = await reader.next(limit, over);
      return pageResponse(wanted, events, reader.position);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      reader.close();
    }
  };
  const jsonOf = shared((tenantId: string, event: LoggedEvent) =>
    memberSchema.write(eventMembers(source, tenantId, event)).replaceAll(/[\r\n]+/g, ' '),
  );
  const streamResponse = (
    { tenantId, filter, after }: EventsRequest,
    options: Pick<EventStreamOptions, 'expiresAtMs' | 'namesStart'>,
  ): HttpResponse => ({
    status: 200,
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': privateCacheControl,
      'X-Accel-Buffering': 'no',
    },
    body: eventStream({
      reader: watch.reader(tenantId, { filter, after, isSteady: true }),
      cursorOf: (at) => cursors.seal(tenantId, filter, at),
      jsonOf: (event) => jsonOf(tenantId, event),
      ...options,
    }),
  });

  return route(operation, async (request, response) => {
    const { tenantId, expiresAt } = callerOf(request);
    const mediaType = acceptedType(request, availableEvents);
    refuseUnknownParameters(request, parameters);
    const filter = { type: typeParameter.of(request), subject: subjectParameter.of(request) };
    const limit = limitParameter.of(request);
    const waitSeconds = waitParameter.of(request);
    const isStream = mediaType === 'text/event-stream';
    const lastEventId = isStream ? lastEventIdOf(request) : undefined;
    const cursor = afterParameter.of(request);
    const beginsNow = lastEventId === undefined && cursor === now;
    const after = beginsNow
      ? await store.end(tenantId, signalOf(request))
      : cursors.open(tenantId, filter, lastEventId ?? cursor);
    const wanted = { tenantId, filter, after, limit: limit ?? defaultLimit };

    if (isStream) {
      if (limit !== undefined || waitSeconds !== undefined) {
        throw problem('invalid-parameter', 'Cannot read the query: a stream has neither limit nor wait.');
      }
      waitingRequests.begin(request, response);
      sendResponse(
        request,
        response,
        streamResponse(wanted, { expiresAtMs: expiresAt * 1000, namesStart: beginsNow }),
      );
      requestContext(request).measure(200);
    } else if (waitSeconds === undefined || waitSeconds === 0) {
      const { events, end } = await store.list(
        tenantId,
        { ...filter, after, limit: wanted.limit },
        signalOf(request),
      );
      sendResponse(request, response, pageResponse(wanted, events, end));
    } else {
      waitingRequests.begin(request, response);
      sendResponse(request, response, await waitForPage(wanted, waitSeconds, signalOf(request)));
    }
  });
}

/** The place from which a stream goes on; undefined for none. Browsers send none, or an empty one, at first. */
function lastEventIdOf({ headers }: IncomingMessage): string | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** The text of an event is the same for all readers of its tenant, and made once. */
function shared(make: (tenantId: string, event: LoggedEvent) => string): typeof make {
  const made = new WeakMap<LoggedEvent, string>();
  return (tenantId, event) => {
    const known = made.get(event);
    if (known !== undefined) {
      return known;
    }
    const text = make(tenantId, event);
    made.set(event, text);
    return text;
  };
}
