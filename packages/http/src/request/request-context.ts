import type { IncomingMessage } from 'node:http';

import type { Logger, TraceContext } from '@meridian/telemetry';

import { createRequestSlot } from './request-slot.ts';

/** The properties of a request that are known before its content is read. */
export interface RequestContext {
  /** The `Request-Id` of the response, which a client can quote. */
  readonly id: string;
  readonly trace: TraceContext;
  /** Writes the request's id and trace on every line. */
  readonly log: Logger;
  /** The pattern of the route, for metrics; undefined while no route has matched. */
  route: string | undefined;
  /** Further members of the request's log line; read when the request is over. */
  noted: RequestLineNotes | undefined;
}

/** Members of the line of a request; those that are undefined are not written. */
export interface RequestLineNotes {
  /** Of the errors in the response, which may have the status 200 all the same. */
  readonly errorCodes: readonly string[] | undefined;
}

const slot = createRequestSlot<RequestContext>('observeRequests');

/** Leaves the context with the request; done by `observeRequests` alone. */
export const fillRequestContext = slot.fill;

/** The context of a request that passed `observeRequests`. */
export const requestContext = slot.read;

/** The context of a request, where it passed `observeRequests`. */
export const peekRequestContext = slot.peek;

/** The logger of one request. */
export function logOf(request: IncomingMessage): Logger {
  return slot.read(request).log;
}

/** Names the route that a request took, such as `/accounts/:id`, for the log and the metrics. */
export function nameRoute(request: IncomingMessage, route: string): void {
  const context = slot.peek(request);
  if (context !== undefined) {
    context.route = route;
  }
}
