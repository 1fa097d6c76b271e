import { type ApolloServerPlugin } from '@apollo/server';
import { unwrapResolverError } from '@apollo/server/errors';

import type { SubgraphContext } from '../context.ts';
import { ClientError } from './client-error.ts';
import { isAboutTheRequest } from './format-error.ts';

/** Logs with its cause, once, what a client must not see: whatever is not about what the client sent. */
export const logUnexpectedErrors: ApolloServerPlugin<SubgraphContext<unknown>> = {
  requestDidStart: async () => ({
    didEncounterErrors: async ({ errors, contextValue, operationName }) => {
      // A request that is cancelled fails in as many places as it had reached; that is no news about any of them.
      if (contextValue.signal.aborted) return;
      for (const error of errors) {
        const thrown = unwrapResolverError(error);
        if (thrown instanceof ClientError || isAboutTheRequest(error)) continue;
        contextValue.log.error({ err: thrown, path: error.path?.join('.'), operationName }, 'a field failed');
      }
    },
  }),
};
