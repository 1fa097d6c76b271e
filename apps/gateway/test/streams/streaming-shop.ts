import { writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

import { buildSubgraphSchema } from '@apollo/subgraph';
import { eventually, listenOnLoopback } from '@meridian/testing';
import type { TestIdentity } from '@meridian/testing';
import type { GraphQLFieldResolver } from 'graphql';
import { GraphQLError, graphql, parse } from 'graphql';
import { createHandler } from 'graphql-sse/lib/use/http';

import type { StubSubgraph } from '../support/stub-subgraph.ts';
import { respondJson, startStubSubgraph } from '../support/stub-subgraph.ts';
import type { TestGateway, TestGatewayOptions } from '../support/test-gateway.ts';
import { startTestGateway } from '../support/test-gateway.ts';
import { compose } from '../support/compose.ts';
import { PriceFeed, subscribeWithCursors } from './price-feed.ts';

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.14", import: ["@key", "@override", "@requiresScopes"])`;

const pricesSdl = `
  ${link}
  type Query { cheapest: Product }
  type Subscription { priceChanged(id: ID!): Product  refused: Product }
  type Product @key(fields: "id") { id: ID!  price: Int  note: String  cost: Int @requiresScopes(scopes: [["costs:read"]]) }
`;
const namesSdl = `
  ${link}
  type Query { product(id: ID!): Product }
  type Product @key(fields: "id") { id: ID!  name: String  note: String @override(from: "prices", label: "notes") }
`;

/** A subscription whose events need the other subgraph, too. */
export const pricesQuery = 'subscription Prices($id: ID!) { priceChanged(id: $id) { id price name } }';
export const pricesVariables = { id: 'p1' };

/** Callers need a token, and the only operation is the persisted subscription `costs`. */
export function knownCallers({ jwksUrl, issuer }: TestIdentity): StreamingShopOptions {
  return {
    config: `
      authentication: { router: { jwt: { jwks: [{ url: '${jwksUrl.href}', issuers: ['${issuer}'] }] } } }
      authorization: { require_authentication: true, directives: { enabled: true } }
      cors: { policies: [{ origins: ['https://shop.example'] }] }
      apq: { enabled: false }
      persisted_queries:
        enabled: true
        local_manifests: ['\${env.MANIFEST_PATH}']
        safelist: { enabled: true, require_id: true }
    `,
    env: { NODE_ENV: 'development' },
    manifest: { costs: 'subscription Costs { priceChanged(id: "p1") { price cost } }' },
  };
}

/** A gateway over a subgraph with subscriptions, by server-sent events of the library graphql-sse, and one without. */
export interface StreamingShop extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly feed: PriceFeed;
  readonly names: StubSubgraph;
  /** Of the subgraph with subscriptions. */
  readonly pricesUrl: string;
  /** The supergraph for another schema of that subgraph. */
  readonly compose: (change: (pricesSdl: string) => string) => string;
  /** Lets that subgraph open subscriptions only from `release` on; `arrived` resolves with the next request for one. */
  readonly hold: () => { readonly arrived: Promise<void>; readonly release: () => void };
  /** Resolves once the subgraph has this many. */
  subscribers(count: number): Promise<void>;
  close(): Promise<void>;
}

export interface StreamingShopOptions extends TestGatewayOptions {
  /** Further keys of `subscription`, and of `meridian.subscription`. */
  readonly subscription?: string;
  readonly ownSubscription?: string;
  /** Further keys of `meridian`. */
  readonly meridian?: string;
}

export async function startStreamingShop({
  config = '',
  subscription = '',
  ownSubscription = '',
  meridian = '',
  ...options
}: StreamingShopOptions = {}): Promise<StreamingShop> {
  const feed = new PriceFeed();
  const prices = await startPrices(feed);
  const names = await startStubSubgraph('names', {
    sdl: namesSdl,
    resolvers: {
      Query: { product: (_root, { id }) => ({ id }) },
      Product: {
        __resolveReference: (reference) => reference,
        name: (product) => `Product ${(product as { id: string }).id}`,
        note: () => 'a note that has moved',
      },
    },
  });
  const composeWith: StreamingShop['compose'] = (change) =>
    compose([
      { name: 'prices', routingUrl: prices.url, sdl: change(pricesSdl) },
      { name: 'names', routingUrl: names.url, sdl: namesSdl },
    ]);
  const gateway = await startTestGateway({
    ...options,
    config: `
      subscription: { enabled: true, ${subscription} }
      meridian: { subscription: { http: { subgraphs: { prices: { protocol: sse } } }, ${ownSubscription} }, ${meridian} }
      ${config}
    `,
    async prepare(directory) {
      const path = join(directory, 'streaming.graphql');
      await writeFile(
        path,
        composeWith((sdl) => sdl),
      );
      return { SUPERGRAPH_PATH: path };
    },
  });
  const close = async (): Promise<void> => {
    await gateway.close();
    await prices.close();
    await names.close();
  };
  return {
    gateway,
    feed,
    names,
    pricesUrl: prices.url,
    compose: composeWith,
    hold: prices.hold,
    async subscribers(count) {
      await eventually(() => {
        if (feed.followers !== count) {
          throw new Error(`${feed.followers} subscribers, not ${count}`);
        }
      });
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function startPrices(
  feed: PriceFeed,
): Promise<Pick<StreamingShop, 'close' | 'hold'> & { readonly url: string }> {
  let arrive = (): void => {};
  let released = Promise.resolve();
  const resolvers = {
    Subscription: {
      priceChanged: {
        subscribe: (_root: unknown, { id }: { id: string }, { after }: { after: number | undefined }) =>
          feed.follow(id, after),
        resolve: (change: unknown) => change,
      },
      refused: {
        subscribe() {
          throw new GraphQLError('secret', { extensions: { code: 'FORBIDDEN' } });
        },
      },
    },
    Product: {
      __resolveReference: (reference: unknown) => reference,
      cost: () => 1,
      note: () => 'x'.repeat(50_000),
    },
  };
  const schema = buildSubgraphSchema({
    typeDefs: parse(pricesSdl),
    resolvers: resolvers as unknown as Record<string, Record<string, GraphQLFieldResolver<unknown, unknown>>>,
  });
  const handle = createHandler({
    schema,
    context: (_request, { extensions }) => ({ after: positionOf(extensions) }),
    subscribe: subscribeWithCursors as never,
    onSubscribe({ context: { res } }, { extensions }) {
      // The position at which the stream begins, after the head.
      setImmediate(() => void res.write(`id: ${positionOf(extensions) ?? feed.position}\n\n`));
    },
  });
  const server = await listenOnLoopback((request, response) => {
    if (request.headers.accept?.includes('text/event-stream') === true) {
      // A client that leaves is an error for graphql-sse.
      void released.then(() => handle(request, response)).catch(() => response.destroy());
      arrive();
    } else {
      void respondToQuery(request, response);
    }
  });
  async function respondToQuery(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { query, variables } = await bodyOf(request);
    respondJson(response, await graphql({ schema, source: query, variableValues: variables }));
  }
  return {
    url: `${server.url}/graphql`,
    hold() {
      const arrival = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      arrive = arrival.resolve;
      released = gate.promise;
      return { arrived: arrival.promise, release: gate.resolve };
    },
    close: () => server.close(),
  };
}

async function bodyOf(
  request: IncomingMessage,
): Promise<{ query: string; variables?: Record<string, unknown> }> {
  return (await json(request)) as { query: string };
}

function positionOf(extensions: unknown): number | undefined {
  const { resumeAfter } = (extensions ?? {}) as { resumeAfter?: string };
  return resumeAfter === undefined ? undefined : Number(resumeAfter);
}
