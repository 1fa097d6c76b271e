// The compiled executor by itself, on node:http: what it costs without the gateway's pipeline around it.
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import process from 'node:process';
import { text } from 'node:stream/consumers';

import {
  createExecutor,
  createHttpTransport,
  createSubgraphClient,
  encodeResponse,
  loadSupergraph,
} from '@meridian/executor';
import type { PreparedOperation } from '@meridian/executor';
import { parse } from 'graphql';

interface GraphqlRequest {
  readonly query: string;
  readonly operationName: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

const { SUPERGRAPH_PATH = '', PORT = '' } = process.env;
const supergraph = loadSupergraph(readFileSync(SUPERGRAPH_PATH, 'utf8'));
const targets = new Map(
  supergraph.subgraphs.map(({ name, url }) => [
    name,
    { url, timeoutMs: 5000, maxResponseBytes: 16 * 2 ** 20 },
  ]),
);
const transport = createHttpTransport({ client: createSubgraphClient(), targets });
const executor = createExecutor({ supergraph, transport });
const prepared = new Map<string, PreparedOperation>();
const headers = { 'content-type': 'application/json' };
const { signal } = new AbortController();

createServer((request, response) => void respond(request, response)).listen(Number(PORT), '127.0.0.1');

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const { query, operationName, variables }: GraphqlRequest = JSON.parse(await text(request));
  const operation = prepared.get(query) ?? executor.prepare({ document: parse(query), name: operationName });
  prepared.set(query, operation);
  const result = await operation.run({ variables, headersFor: () => headers, signal });
  const bytes = encodeResponse(result);
  const status = result.errors.length === 0 ? 200 : 500;
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': bytes.length });
  response.end(bytes);
}
