import { GraphQLError } from 'graphql';

import type { ExecutionError } from '../result.ts';
import { subrequestMessages } from '../subrequest-messages.ts';

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
