import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * A step that every request passes before its handler: calls `next` to let it pass, `next(error)` or a throw to refuse
 * it. It needs only Node's own request and response, so it fits Express and a plain `node:http` listener alike.
 */
export type Middleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void | Promise<void>;
