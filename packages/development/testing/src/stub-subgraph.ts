import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

import { buildSubgraphSchema } from '@apollo/subgraph';
import type { GraphQLFieldResolver, GraphQLSchema } from 'graphql';
import { graphql, parse } from 'graphql';

import { listenOnLoopback } from './listen-on-loopback.ts';

/** The definition of a test's subgraph. */
export interface StubDefinition {
  readonly sdl: string;
  readonly resolvers: Resolvers;
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
export type StubSubgraph = Awaited<ReturnType<typeof startStubSubgraph>>;

export function stubSchema({ sdl, resolvers }: StubDefinition): GraphQLSchema {
  return buildSubgraphSchema({
    typeDefs: parse(sdl),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a test knows the arguments of its resolvers
    resolvers: resolvers as Record<string, Record<string, GraphQLFieldResolver<unknown, unknown>>>,
  });
}

export async function startStubSubgraph(name: string, definition: StubDefinition) {
  const schema = stubSchema(definition);
  /** Everything received since the last call of `reset`. */
  const received: ReceivedRequest[] = [];
  let misbehaviour: Misbehaviour | undefined;

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an executor of ours sends it
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
    sdl: definition.sdl,
    url: `${server.url}/graphql`,
    received,
    misbehave: (how: Misbehaviour): void => void (misbehaviour = how),
    /** Behaves again, and forgets what was received. */
    reset(): void {
      misbehaviour = undefined;
      received.length = 0;
    },
    close: (): Promise<void> => server.close(),
  };
}

/** Responds with a result as JSON. */
export function respondJson(response: ServerResponse, result: unknown, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(result));
}
