import type { IncomingMessage } from 'node:http';

import { requestError } from '../../errors/request-error.ts';

/**
 * The method of a request to the graph endpoint.
 *
 * @throws {RequestError} 405 for any but GET and POST, 400 for the handshake of a WebSocket
 */
export function checkMethod({ method, headers }: IncomingMessage): 'GET' | 'POST' {
  if (headers.upgrade?.toLowerCase() === 'websocket') {
    throw requestError(
      'BAD_REQUEST',
      'The gateway supports neither WebSockets nor subscriptions: send operations by GET or POST',
    );
  }
  if (method === 'GET' || method === 'POST') {
    return method;
  }
  throw requestError('METHOD_NOT_ALLOWED', 'The graph endpoint takes GET and POST', {
    headers: { Allow: 'GET, POST' },
  });
}
