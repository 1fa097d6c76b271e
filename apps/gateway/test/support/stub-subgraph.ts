import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';

import { buildSubgraphSchema } from '@apollo/subgraph';
import { listenOnLoopback } from '@meridian/testing';
import { graphql, parse } from 'graphql';
import type { GraphQLFieldResolver } from 'graphql';

/** The definition of a test's subgraph. */
export interface StubDefinition {
  readonly sdl: string;
  readonly resolvers: Readonly<
    Record<string, Readonly<Record<string, GraphQLFieldResolver<unknown, unknown>>>>
  >;
}

/** A request that a subgraph received. */
export interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: { readonly query: string; readonly variables?: Readonly<Record<string, unknown>> };
}

/** Replaces a subgraph's own response. */
export type Misbehaviour = (response: ServerResponse, received: ReceivedRequest) => void | Promise<void>;

/** A subgraph on loopback that follows its resolvers until it is made to misbehave. */
export interface StubSubgraph {
  readonly name: string;
  readonly url: string;
  readonly sdl: string;
  /** Everything received since the last call of `reset`. */
  readonly received: ReceivedRequest[];
  readonly misbehave: (how: Misbehaviour) => void;
  /** Behaves again, and forgets what was received. */
  reset(): void;
  close(): Promise<void>;
}

export async function startStubSubgraph(
  name: string,
  { sdl, resolvers }: StubDefinition,
): Promise<StubSubgraph> {
  const schema = buildSubgraphSchema({ typeDefs: parse(sdl), resolvers });
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
    const result = await graphql({ schema, source: body.query, variableValues: body.variables ?? {} });
    respondJson(response, result);
  };
  const server = await listenOnLoopback((request, response) => void respond(request, response));
  return {
    name,
    sdl,
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
