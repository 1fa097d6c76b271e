// A subgraph under test, behind real HTTP and with real tokens. The apps' tests use it too, as
// `@meridian/subgraph/test-support`.
import { createTokenVerifier } from '@meridian/auth';
import type { DevelopmentTokenClaims } from '@meridian/auth/development';
import type { Mode } from '@meridian/settings/environment';
import { createHttpServer, limitLoad, problemRenderer } from '@meridian/http';
import type { LoadLimits } from '@meridian/http';
import { createLogger, createMetrics } from '@meridian/telemetry';
import { createTestIdentity, listenOnLoopback } from '@meridian/testing';
import type { TestIdentity } from '@meridian/testing';
import supertest from 'supertest';

import type { ServedSubgraph, SubgraphHosting } from '../../src/index.ts';
import { subscribeByWebSocket } from './subscribe.ts';
import type { Stream, SubscribeRequest } from './subscribe.ts';

/** The response of a subgraph: GraphQL's, or a problem. */
export interface GraphqlBody {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly (string | number)[];
    readonly extensions: { readonly code: string };
  }[];
}

export interface HostOptions extends Pick<
  SubgraphHosting,
  'stopping' | 'subscriptionCallbackUrl' | 'subscriptionLimits'
> {
  /** Default: `production`. */
  readonly mode?: Mode;
  readonly requestDeadlineMs?: number;
  readonly load?: LoadLimits;
  /** The issuer of the tokens that it accepts. Default: an issuer of its own. */
  readonly identity?: TestIdentity;
}

/** The caller. Default: alice of acme, with all scopes. */
export type Who = DevelopmentTokenClaims;

/** A subgraph that serves on its own port. */
export interface HostedSubgraph {
  readonly url: string;
  /** The log lines of the subgraph. */
  readonly logLines: readonly string[];
  /** Executes an operation over HTTP. */
  ask(document: string, variables?: Record<string, unknown>, who?: Who): Promise<GraphqlBody>;
  /** The response to `_entities`, selecting `fields` of one type. */
  entities(type: string, keys: readonly object[], fields: string, who?: Who): Promise<GraphqlBody>;
  /** Subscribes over a WebSocket. */
  subscribe(request: SubscribeRequest, who?: Who): Promise<Stream>;
  token(who?: Who): Promise<string>;
  /** Prometheus's view. */
  metrics(): Promise<string>;
  stop(): Promise<void>;
}

const ample: LoadLimits = { maxInFlight: 500, maxTenantInFlight: 200 };

export async function hostSubgraph(
  createApp: (hosting: SubgraphHosting) => Promise<ServedSubgraph>,
  {
    mode = 'production',
    requestDeadlineMs = 10_000,
    load = ample,
    identity: shared,
    ...subscriptions
  }: HostOptions = {},
): Promise<HostedSubgraph> {
  const identity = shared ?? (await createTestIdentity());
  const verifier = createTokenVerifier({ issuers: [identity] });
  const logLines: string[] = [];
  const metrics = createMetrics({ service: 'test' });
  const logger = createLogger({
    service: 'test',
    destination: { write: (line) => void logLines.push(line) },
  });
  const problemBaseUrl = 'https://meridian.example';
  const app = await createApp({
    mode,
    verifier,
    limitLoad: limitLoad(load),
    logger,
    metrics,
    problemBaseUrl,
    requestDeadlineMs,
    ...subscriptions,
  });
  const server = await listenOnLoopback(
    createHttpServer({ ...app, logger, metrics, renderProblem: problemRenderer(problemBaseUrl) }),
  );

  async function ask(document: string, variables: Record<string, unknown> = {}, who: Who = {}) {
    const response = await supertest(server.url)
      .post('/graphql')
      .set('Authorization', `Bearer ${await identity.token(who)}`)
      .send({ query: document, variables });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what it holds is what the tests are about
    return response.body as GraphqlBody;
  }

  return {
    url: server.url,
    logLines,
    ask,
    entities(type, keys, fields, who) {
      const representations = keys.map((key) => ({ __typename: type, ...key }));
      return ask(
        `query Entities($representations: [_Any!]!) {
          _entities(representations: $representations) { ... on ${type} ${fields} }
        }`,
        { representations },
        who,
      );
    },
    subscribe: async (request, who) => subscribeByWebSocket(server.url, await identity.token(who), request),
    token: (who) => identity.token(who),
    metrics: () => metrics.registry.metrics(),
    async stop() {
      await server.close();
      verifier.close();
      if (shared === undefined) {
        await identity.close();
      }
    },
  };
}
