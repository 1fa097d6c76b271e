import { text } from 'node:stream/consumers';

import { listenOnLoopback } from '@meridian/testing';
import type { LoopbackServer } from '@meridian/testing';

/** A subgraph that responds with its schema, and may change it. */
export interface ChangingSubgraph extends LoopbackServer {
  sdl: string;
  /** A whole response instead, for a subgraph that does not do what it should. */
  response: { readonly status: number; readonly body: string } | undefined;
  /** The header fields of the last request. */
  headers: NodeJS.Dict<string | string[]>;
}

export async function subgraphOf(sdl: string): Promise<ChangingSubgraph> {
  const server = await listenOnLoopback((request, response) => {
    const respond = async (): Promise<void> => {
      const body = await text(request);
      subgraph.headers = request.headers;
      const data = { _service: { sdl: subgraph.sdl } };
      const isIntrospection = body === '{"query":"{ _service { sdl } }"}';
      const { status, body: json } = subgraph.response ?? { status: 200, body: JSON.stringify({ data }) };
      response.writeHead(isIntrospection ? status : 400).end(json);
    };
    void respond();
  });
  const subgraph: ChangingSubgraph = { ...server, sdl, response: undefined, headers: {} };
  return subgraph;
}
