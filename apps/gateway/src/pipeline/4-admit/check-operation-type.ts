import type { OperationTypeNode } from 'graphql';

import { requestError } from '../../errors/request-error.ts';

/**
 * Rejects an operation that the method does not allow. A GET may be repeated by any intermediary, so it never writes.
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
