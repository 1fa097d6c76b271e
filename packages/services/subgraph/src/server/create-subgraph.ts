import type { IncomingMessage, RequestListener } from 'node:http';

import type { TokenVerifier } from '@meridian/auth';
import type { Mode } from '@meridian/settings/environment';
import {
  handleProblems,
  authenticate,
  checkTarget,
  inSequence,
  nameRoute,
  observeRequests,
  problemRenderer,
  requestDeadline,
} from '@meridian/http';
import type { Middleware, UpgradeListener } from '@meridian/http';
import type { StopSignal } from '@meridian/cancellation';
import { createExpressApp, resource, routeNotFound } from '@meridian/http/express';
import type { Logger, Metrics } from '@meridian/telemetry';
import type { TenantScope, OnBatch } from '@meridian/tenant-loaders';
import type { Express } from 'express';
import { createDurations } from '@meridian/telemetry';

import { contextCreator } from '../context.ts';
import { createFormatError } from '../errors/format-error.ts';
import { guardFields } from '../guards/guard-fields.ts';
import { buildSchema } from '../schema/build-schema.ts';
import type { Resolvers } from '../schema/resolvers.ts';
import { createSubscriptions } from '../subscriptions/open-subscription.ts';
import type { SubscriptionLimits } from '../subscriptions/open-subscription.ts';
import { serveCallbacks, wantsCallback } from '../subscriptions/serve-callbacks.ts';
import { serveEventStream, wantsEventStream } from '../subscriptions/serve-event-stream.ts';
import { subscriptionMetrics } from '../subscriptions/subscription-metrics.ts';
import { serveWebSockets } from '../subscriptions/serve-websockets.ts';
import { createKnownQueries } from './known-queries.ts';
import { startGraphqlServer } from './graphql-server.ts';
import { serveGraphql } from './serve-graphql.ts';

/** The parts of a subgraph that are its own. */
export interface SubgraphDefinition<Loaders> {
  /** The path of `schema.graphql`. */
  readonly schema: URL;
  readonly resolvers: Resolvers<Loaders>;
  /** Creates the loaders of one request. */
  readonly createLoaders: (scope: TenantScope) => Loaders;
  /** Adds the service's own routes. Their requests have passed every step but authentication. */
  readonly addRoutes?: (app: Express) => void;
}

/** The hosting of every subgraph. */
export interface SubgraphHosting {
  readonly mode: Mode;
  readonly verifier: TokenVerifier;
  /** Sheds load, after authentication. */
  readonly limitLoad: Middleware;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Where `<problemBaseUrl>/problems/<kind>` is served. */
  readonly problemBaseUrl: string;
  readonly requestDeadlineMs: number;
  /** The share of successful requests that have a line in the log. Default: 1. */
  readonly requestLogRatio?: number | undefined;
  /** Aborts when the process stops: subscriptions end, and their clients go on elsewhere. */
  readonly stopping?: StopSignal | undefined;
  /** The URL of gateways whose callbacks subscriptions may use, with all paths below it. Default: none. */
  readonly subscriptionCallbackUrl?: string | undefined;
  /** Default: 5000 subscriptions, 2500 of one tenant. */
  readonly subscriptionLimits?: SubscriptionLimits | undefined;
}

/** A subgraph that can be hosted by `runService`, and by a server of your own. */
export interface ServedSubgraph {
  readonly handler: RequestListener;
  /** Serves WebSockets, for subscriptions: of a schema that has some. */
  readonly upgrade: UpgradeListener | undefined;
}

/**
 * A subgraph: `POST /graphql`, for callers with a valid token, subscriptions, and the service's own routes. The steps of
 * a request are here, in order.
 *
 * @throws {SchemaError} when the schema and the resolvers do not match
 */
export async function createSubgraph<Loaders>({
  schema: file,
  resolvers,
  createLoaders,
  addRoutes,
  mode,
  verifier,
  limitLoad,
  logger,
  metrics,
  problemBaseUrl,
  requestDeadlineMs,
  requestLogRatio,
  stopping,
  subscriptionCallbackUrl,
  subscriptionLimits = { maxOpen: 5000, maxOpenOfTenant: 2500 },
}: SubgraphDefinition<Loaders> & SubgraphHosting): Promise<ServedSubgraph> {
  const schema = buildSchema(file, resolvers);
  guardFields(schema);
  const formatError = createFormatError(mode);
  const knownQueries = createKnownQueries(schema);
  const server = await startGraphqlServer<Loaders>(schema, { mode, logger, formatError, knownQueries });
  const createContext = contextCreator(createLoaders, loaderMetrics(metrics));

  const handleError = handleProblems({ renderProblem: problemRenderer(problemBaseUrl), metrics });
  const subscriptions = schema.getSubscriptionType()
    ? createSubscriptions({
        schema,
        mode,
        formatError,
        createContext,
        limits: subscriptionLimits,
        metrics: subscriptionMetrics(metrics),
        eventDeadlineMs: requestDeadlineMs,
      })
    : undefined;
  const authenticated = authenticate(verifier);
  const handleGraphqlRequest = [
    authenticated,
    ...(subscriptions
      ? [
          servedIf(wantsEventStream, serveEventStream(subscriptions, stopping)),
          servedIf(
            wantsCallback,
            serveCallbacks({ subscriptions, allowedUrl: subscriptionCallbackUrl, stopping }),
          ),
        ]
      : []),
    limitLoad,
    serveGraphql({ server, knownQueries, formatError, createContext }),
  ];
  const app = createExpressApp();
  resource(app, graphPath, { POST: handleGraphqlRequest });
  addRoutes?.(app);
  app.use(routeNotFound, handleError);

  // A gateway's requests do without Express, which would take a tenth of their time.
  const serveGateway = inSequence([named(graphPath), ...handleGraphqlRequest]);
  const serve = inSequence([
    observeRequests({ logger, metrics, requestLogRatio }),
    checkTarget,
    requestDeadline(requestDeadlineMs),
    (request, response, next) =>
      request.method === 'POST' && request.url === graphPath
        ? serveGateway(request, response, next)
        : app(request, response),
  ]);
  return {
    handler: (request, response) =>
      serve(request, response, (error) => handleError(error, request, response, undefined)),
    upgrade:
      subscriptions &&
      serveWebSockets({ path: graphPath, schema, subscriptions, verifier, logger, stopping }),
  };
}

/** Serves some requests; all others go on. */
function servedIf(isServed: (request: IncomingMessage) => boolean, serve: Middleware): Middleware {
  return (request, response, next) => (isServed(request) ? serve(request, response, next) : next());
}

const graphPath = '/graphql';

/** Names the route, as `resource` does. */
function named(route: string): Middleware {
  return (request, _response, next) => {
    nameRoute(request, route);
    next();
  };
}

/** Registers the durations of a subgraph's loaders: once for a process. Their names are few: they are in its source. */
function loaderMetrics(metrics: Metrics): OnBatch {
  const durations = createDurations(metrics, {
    name: 'meridian_loader_batch_duration_seconds',
    help: 'Time for a batch of a loader, such as all entities of one lookup, in seconds.',
    labelNames: ['loader', 'outcome'],
  });
  return (loader, durationMs, outcome) => durations.observe({ loader, outcome }, durationMs / 1000);
}
