import type { IncomingMessage } from 'node:http';

import { refusal } from '../../refusal.ts';

/**
 * The method of a request to the graph endpoint.
 *
 * @throws {Refusal} 405 for any but GET and POST
 */
export function checkMethod({ method }: IncomingMessage): 'GET' | 'POST' {
  if (method === 'GET' || method === 'POST') {
    return method;
  }
  throw refusal('METHOD_NOT_ALLOWED', 'The graph endpoint takes GET and POST', {
    headers: { Allow: 'GET, POST' },
  });
}
