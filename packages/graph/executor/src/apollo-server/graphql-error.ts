import { GraphQLError } from 'graphql';

import type { ExecutionError, SubrequestCode } from '../result.ts';

const subrequestMessages: Readonly<Record<SubrequestCode, string>> = {
  GATEWAY_TIMEOUT: 'A subgraph took too long to respond',
  SUBREQUEST_HTTP_ERROR: 'A subgraph could not be reached, or failed',
  SUBREQUEST_MALFORMED_RESPONSE: 'A subgraph sent an invalid result',
  REQUEST_CIRCUIT_BREAKER_OPEN: 'A subgraph has failed too often, and is left alone for a while',
  REQUEST_RATE_LIMITED: 'A subgraph has received too many requests',
  WEBSOCKET_CONNECTION_ERROR: 'The stream of a subgraph could not be opened',
  WEBSOCKET_INIT_ERROR: 'The stream of a subgraph could not be opened',
  WEBSOCKET_ACK_ERROR: 'A subgraph refused the stream',
  WEBSOCKET_ACK_ERROR_TIMEOUT: 'A subgraph took too long to open the stream',
  WEBSOCKET_MESSAGE_ERROR: 'A subgraph sent an invalid message',
  WEBSOCKET_CLOSE_ERROR: 'A subgraph closed the stream',
  SUBSCRIPTION_HEARTBEAT_ERROR: 'A subgraph stopped sending heartbeats',
};

/**
 * An error of a run as a GraphQL server has it. Errors that a subgraph reported pass unchanged. The message about a
 * failed request never names a host.
 */
export function graphqlErrorOf(error: ExecutionError): GraphQLError {
  const path = error.path ?? null;
  switch (error.kind) {
    case 'reported':
      return new GraphQLError(error.message, {
        path,
        extensions: { ...error.extensions, serviceName: error.subgraph },
      });
    case 'subrequest':
      return new GraphQLError(subrequestMessages[error.code], {
        path,
        extensions: {
          code: error.code,
          ...(error.subgraph !== undefined && { serviceName: error.subgraph }),
        },
      });
    case 'omitted':
      return new GraphQLError('Further errors are left out', {
        path,
        extensions: {
          code: 'INTERNAL_SERVER_ERROR',
          ...(error.subgraph !== undefined && { serviceName: error.subgraph }),
        },
      });
    case 'internal':
    default:
      return new GraphQLError('The gateway failed', { path, extensions: { code: 'INTERNAL_SERVER_ERROR' } });
  }
}
