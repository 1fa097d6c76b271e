import { ApolloServer } from '@apollo/server';
import type { ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { Mode } from '@meridian/settings/environment';
import type { Logger } from '@meridian/telemetry';
import type { GraphQLSchema } from 'graphql';

import type { SubgraphContext } from '../context.ts';
import type { FormatError } from '../errors/format-error.ts';
import { logUnexpectedErrors } from '../errors/log-unexpected-errors.ts';
import { hideService } from '../validation/hide-service.ts';
import type { KnownQueries } from './known-queries.ts';

export interface GraphqlServerOptions {
  readonly mode: Mode;
  readonly logger: Logger;
  readonly formatError: FormatError;
  /** Called with the queries that the server found valid. */
  readonly knownQueries: KnownQueries;
}

/** A server that is ready to execute operations of the schema; the caller hosts it. */
export async function startGraphqlServer<Loaders>(
  schema: GraphQLSchema,
  { mode, logger, formatError, knownQueries }: GraphqlServerOptions,
): Promise<ApolloServer<SubgraphContext<Loaders>>> {
  const isDevelopment = mode === 'development';
  const server = new ApolloServer<SubgraphContext<Loaders>>({
    schema,
    nodeEnv: mode,
    introspection: isDevelopment,
    validationRules: isDevelopment ? [] : [hideService],
    hideSchemaDetailsFromClientErrors: !isDevelopment,
    includeStacktraceInErrorResponses: false,
    formatError,
    // The gateway limits documents; this protects against requests that bypass it.
    parseOptions: { maxTokens: 50_000 },
    persistedQueries: false,
    stopOnTerminationSignals: false,
    logger,
    plugins: [
      observeOperations(knownQueries),
      // The gateway knows the hints from the supergraph; computing them here would look at every field again.
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
  });
  await server.start();
  return server;
}

function observeOperations(knownQueries: KnownQueries): ApolloServerPlugin<SubgraphContext<unknown>> {
  return {
    requestDidStart: async () => ({
      async executionDidStart({ source, request, document }) {
        knownQueries.add(source, request.operationName, document);
      },
      async didEncounterErrors({ errors, contextValue, operationName }) {
        logUnexpectedErrors(errors, contextValue, operationName);
      },
    }),
  };
}
