import type { TokenVerifier } from '@meridian/auth';
import type { Mode } from '@meridian/config';
import {
  answerProblems,
  authenticate,
  checkTarget,
  createExpressApp,
  observeRequests,
  problemRenderer,
  requestDeadline,
  resource,
  routeNotFound,
} from '@meridian/http';
import type { Logger, Metrics } from '@meridian/telemetry';
import type { TenantScope } from '@meridian/tenant-loaders';
import type { Express } from 'express';

import { createFormatError } from '../errors/format-error.ts';
import { createKnownQueries } from '../execution/known-queries.ts';
import { guardFields } from '../guards/guard-fields.ts';
import { buildSchema } from '../schema/build-schema.ts';
import type { Resolvers } from '../schema/resolvers.ts';
import { startGraphqlServer } from './graphql-server.ts';
import { serveGraphql } from './serve-graphql.ts';

/** What makes one subgraph different from another. */
export interface SubgraphDefinition<Loaders> {
  /** The `schema.graphql`. */
  readonly schema: URL;
  readonly resolvers: Resolvers<Loaders>;
  /** Makes the loaders of one request. */
  readonly createLoaders: (scope: TenantScope) => Loaders;
  /** Adds what the service answers beside the graph. A request for it has passed all but authentication. */
  readonly addRoutes?: (app: Express) => void;
}

/** What every subgraph is hosted with. */
export interface SubgraphHosting {
  readonly mode: Mode;
  readonly verifier: TokenVerifier;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Where `<problemBaseUrl>/problems/<kind>` is served. */
  readonly problemBaseUrl: string;
  readonly requestDeadlineMs: number;
}

/**
 * A subgraph as a request listener: `POST /graphql`, for callers with a valid token, and the service's own routes. What a
 * request passes is here, in order.
 *
 * @throws {SchemaError} when the schema and the resolvers do not fit each other
 */
export async function createSubgraph<Loaders>({
  schema: file,
  resolvers,
  createLoaders,
  addRoutes,
  mode,
  verifier,
  logger,
  metrics,
  problemBaseUrl,
  requestDeadlineMs,
}: SubgraphDefinition<Loaders> & SubgraphHosting): Promise<Express> {
  const schema = buildSchema(file, resolvers);
  guardFields(schema);
  const formatError = createFormatError(mode);
  const knownQueries = createKnownQueries(schema);
  const server = await startGraphqlServer<Loaders>(schema, { mode, logger, formatError, knownQueries });

  const app = createExpressApp();
  app.use(observeRequests({ logger, metrics }));
  app.use(checkTarget);
  app.use(requestDeadline(requestDeadlineMs));
  resource(app, '/graphql', {
    POST: [authenticate(verifier), serveGraphql({ server, knownQueries, formatError, createLoaders })],
  });
  addRoutes?.(app);
  app.use(routeNotFound);
  app.use(answerProblems({ renderProblem: problemRenderer(problemBaseUrl), metrics }));
  return app;
}
