import { ConnectionLost } from '../subgraph-failure.ts';
import type { CallSubgraph, SubgraphRequest, SubgraphResponse } from '../subgraph-transport.ts';

/**
 * Sends a query again, once, when a kept connection was closed before the first byte of its response: the subgraph did
 * not process it. A mutation is not sent again: a subgraph that crashed during its work looks the same from here.
 */
export async function sendLostQueryAgain<Run>(
  request: SubgraphRequest<Run>,
  next: CallSubgraph<Run>,
): Promise<SubgraphResponse> {
  try {
    return await next(request);
  } catch (error) {
    const isLostQuery = error instanceof ConnectionLost && request.operationKind === 'query';
    if (!isLostQuery || request.parts !== undefined || request.signal.aborted) {
      throw error;
    }
    return await next(request);
  }
}
