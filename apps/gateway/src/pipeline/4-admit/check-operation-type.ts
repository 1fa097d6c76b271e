import type { OperationTypeNode } from 'graphql';

import { requestError } from '../../errors/request-error.ts';

/**
 * Refuses what a request of its method may not run. A GET may be sent again by anyone on the way, so it never writes.
 *
 * @throws {RequestError} 405 for a mutation by GET
 */
export function checkOperationType(type: `${OperationTypeNode}`, method: 'GET' | 'POST'): void {
  if (type === 'mutation' && method === 'GET') {
    throw requestError('METHOD_NOT_ALLOWED', 'A mutation must be sent by POST', {
      headers: { Allow: 'POST' },
    });
  }
}
