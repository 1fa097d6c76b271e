import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * A step in front of the handlers: it calls `next` to pass a request on, and `next(error)`, or throws, to reject it. It
 * needs only Node's request and response, so it works in Express and in a plain `node:http` listener.
 */
export type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void | Promise<void>;
