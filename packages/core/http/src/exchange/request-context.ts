import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Logger, TraceContext } from '@meridian/telemetry';

import { createRequestSlot } from './request-slot.ts';

/** The properties of a request that are known before its content is read. */
export interface RequestContext {
  /** The `Request-Id` of the response, which a client can quote. */
  readonly id: string;
  /** By `performance.now`. */
  readonly startedMs: number;
  readonly trace: TraceContext;
  /** The header fields of every response to the request: each name, followed by its value. */
  readonly responseFields: string[];
  /** Adds the request's id and trace to every line. */
  readonly log: Logger;
  /** The pattern of the route, for metrics; undefined until a route matches. */
  route: string | undefined;
  /** Further members of the request's log line; read at the end of the request. */
  noted: RequestLineNotes | undefined;
  /**
   * Ends the request's duration in the metrics, once: for a response that stays open, whose end may be hours later. By
   * default, it ends with the response.
   *
   * @param status of the response
   */
  measure(status: number): void;
}

/** Members of a request's log line; undefined ones are not written. */
export interface RequestLineNotes {
  /** The codes of the errors in the response, whose status may be 200. */
  readonly errorCodes: readonly string[] | undefined;
}

const slot = createRequestSlot<RequestContext>('observeRequests');

/** Attaches the context to the request; only `observeRequests` does. */
export const fillRequestContext = slot.fill;

/** The context of a request that passed `observeRequests`. */
export const requestContext = slot.read;

/** The context of a request; undefined if it did not pass `observeRequests`. */
export const peekRequestContext = slot.peek;

/** The logger of one request. */
export function logOf(request: IncomingMessage): Logger {
  return slot.read(request).log;
}

/** Records the route of a request, such as `/accounts/:id`, for the log and the metrics. */
export function nameRoute(request: IncomingMessage, route: string): void {
  const context = slot.peek(request);
  if (context !== undefined) {
    context.route = route;
  }
}

/**
 * Adds a header field to every response to the request. A field that is set with `setHeader` makes Node check and copy
 * all others a second time when the head is written.
 */
export function addResponseField(
  request: IncomingMessage,
  response: ServerResponse,
  name: string,
  value: string,
): void {
  const context = slot.peek(request);
  if (context === undefined) {
    response.setHeader(name, value);
  } else {
    context.responseFields.push(name, value);
  }
}

/**
 * The `Request-Id` of a response to a request that does not pass `observeRequests`; a new one where it has none yet. A
 * client's own value is never used.
 */
export function requestIdOf(response: ServerResponse): string {
  const existing = response.getHeader('Request-Id');
  if (typeof existing === 'string') {
    return existing;
  }
  const id = randomUUID();
  response.setHeader('Request-Id', id);
  return id;
}
