import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

import { buildSubgraphSchema } from '@apollo/subgraph';
import { listenOnLoopback } from '@meridian/testing';
import type { GraphQLFieldResolver } from 'graphql';
import { graphql, parse } from 'graphql';

/** The definition of a test's subgraph. */
export interface SubgraphDefinition {
  readonly sdl: string;
  readonly resolvers: Resolvers;
  /** Of federation 1, which has no links: all its directives are known by their names. */
  readonly isFederation1?: boolean;
}

type Resolver = (parent: never, args: never, ...rest: never[]) => unknown;

/** By type and field; `__resolveReference` and `__resolveType` among the fields. */
export type Resolvers = Readonly<Record<string, Readonly<Record<string, Resolver>>>>;

/** A request that a subgraph received. */
export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: {
    readonly query: string;
    readonly operationName?: string;
    readonly variables?: { readonly representations?: readonly unknown[]; readonly [name: string]: unknown };
  };
}

/** Replaces a subgraph's own response. */
export type Misbehaviour = (response: ServerResponse, received: ReceivedRequest) => unknown;

/** A subgraph on loopback that follows its resolvers until it is made to misbehave. */
export interface StubSubgraph {
  readonly name: string;
  readonly url: string;
  /** Everything received since the last call of `reset`. */
  readonly received: ReceivedRequest[];
  misbehave(how: Misbehaviour): void;
  /** Behaves again, and forgets what was received. */
  reset(): void;
  close(): Promise<void>;
}

const federationLink = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: [
  "@key", "@requires", "@external", "@provides", "@shareable", "@interfaceObject", "@inaccessible", "@override",
  "@context", "@fromContext"
])\n`;

/** The text of a subgraph's schema, with the directives of federation 2 imported. */
export function sdlOf({ sdl, isFederation1 = false }: SubgraphDefinition): string {
  return isFederation1 ? sdl : federationLink + sdl;
}

export async function startStubSubgraph(name: string, definition: SubgraphDefinition): Promise<StubSubgraph> {
  const schema = buildSubgraphSchema({
    typeDefs: parse(sdlOf(definition)),
    resolvers: definition.resolvers as Record<string, Record<string, GraphQLFieldResolver<unknown, unknown>>>,
  });
  const received: ReceivedRequest[] = [];
  let misbehaviour: Misbehaviour | undefined;

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await json(request)) as ReceivedRequest['body'];
    const arrived = { headers: request.headers, body };
    received.push(arrived);
    if (misbehaviour !== undefined) {
      await misbehaviour(response, arrived);
      return;
    }
    respondJson(
      response,
      await graphql({ schema, source: body.query, variableValues: body.variables ?? {} }),
    );
  };
  const server = await listenOnLoopback((request, response) => void respond(request, response));
  return {
    name,
    url: `${server.url}/graphql`,
    received,
    misbehave: (how) => void (misbehaviour = how),
    reset() {
      misbehaviour = undefined;
      received.length = 0;
    },
    close: () => server.close(),
  };
}

/** Responds with a result as JSON. */
export function respondJson(response: ServerResponse, result: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(result));
}
