import { ApolloServer } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import type { Mode } from '@meridian/config';
import type { Logger } from '@meridian/telemetry';
import type { GraphQLSchema } from 'graphql';

import type { SubgraphContext } from '../context.ts';
import { createFormatError } from '../errors/format-error.ts';
import { logUnexpectedErrors } from '../errors/log-unexpected-errors.ts';
import { hideService } from '../validation/hide-service.ts';

/** A server that is ready to execute operations of the schema; hosting it is the caller's business. */
export async function startGraphqlServer<Loaders>(
  schema: GraphQLSchema,
  { mode, logger }: { readonly mode: Mode; readonly logger: Logger },
): Promise<ApolloServer<SubgraphContext<Loaders>>> {
  const isDevelopment = mode === 'development';
  const server = new ApolloServer<SubgraphContext<Loaders>>({
    schema,
    nodeEnv: mode,
    introspection: isDevelopment,
    validationRules: isDevelopment ? [] : [hideService],
    hideSchemaDetailsFromClientErrors: !isDevelopment,
    includeStacktraceInErrorResponses: false,
    formatError: createFormatError(mode),
    // A document has been limited by the gateway; this is for whoever gets past it.
    parseOptions: { maxTokens: 50_000 },
    persistedQueries: false,
    stopOnTerminationSignals: false,
    logger,
    plugins: [
      logUnexpectedErrors,
      // The gateway knows the hints from the supergraph; computing them here would look at every field again.
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginInlineTraceDisabled(),
      ApolloServerPluginUsageReportingDisabled(),
    ],
  });
  await server.start();
  return server;
}
