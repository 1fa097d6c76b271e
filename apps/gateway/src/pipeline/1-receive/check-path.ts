import type { RequestHead } from '@meridian/http';
import { targetOf } from '@meridian/http';

import { requestError } from '../../errors/request-error.ts';

/**
 * Checks that a request is to the graph.
 *
 * @returns its path
 * @throws {RequestError} NOT_FOUND
 */
export function checkPath(request: RequestHead, graphPaths: readonly string[]): string {
  const { path } = targetOf(request);
  if (!graphPaths.includes(path)) {
    throw noGraphAt(path, graphPaths);
  }
  return path;
}

/** Names the path of the graph, and the member for a client that puts an identifier into the path, as some servers take it. */
function noGraphAt(path: string, graphPaths: readonly string[]): Error {
  const above = graphPaths.find((graphPath) => graphPath !== '/' && path.startsWith(`${graphPath}/`));
  return requestError(
    'NOT_FOUND',
    above === undefined
      ? `The graph endpoint is at ${graphPaths.join(' and ')}, not at this path`
      : `The graph endpoint is at ${above}, not at this path: send the identifier of an operation as \`documentId\``,
  );
}
