import type { IncomingHttpHeaders } from 'node:http';

import { Agent, request } from 'undici';
import type { Dispatcher } from 'undici';

import { SubgraphFailure } from './subgraph-failure.ts';

/** How requests to one subgraph are sent. */
export interface SubgraphTransport {
  readonly url: string;
  /** The time for connecting, headers and body together. */
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
}

export interface SubgraphRequest {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Aborts with the client's own request. */
  readonly signal: AbortSignal;
}

export interface SubgraphResponse {
  /** The parsed body; nothing of it has been checked. */
  readonly body: unknown;
  readonly cacheControl: string | undefined;
}

/** Sends GraphQL requests to subgraphs over connections that are kept. */
export interface SubgraphClient {
  /**
   * Rejects with the signal's reason once that has aborted, else with a `SubgraphFailure`: for no answer in time, no answer
   * at all, another status than 2xx, and a body that is over the cap or no JSON. A redirect is another status: it is not
   * followed, since it could lead anywhere.
   */
  send(subgraph: SubgraphTransport, request: SubgraphRequest): Promise<SubgraphResponse>;
  close(): Promise<void>;
}

/** Connections to one subgraph; a request that finds all of them busy waits, and the wait counts as its time. */
const connectionsPerSubgraph = 256;

export function createSubgraphClient(): SubgraphClient {
  const agent = new Agent({
    connections: connectionsPerSubgraph,
    pipelining: 1,
    keepAliveTimeout: 15_000,
    maxHeaderSize: 65_536,
    // One time bounds a whole request, below: these would only cut it into pieces.
    connect: { timeout: 0 },
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    send: (subgraph, outgoing) => sendWithin(agent, subgraph, outgoing),
    close: () => agent.close(),
  };
}

async function sendWithin(
  agent: Agent,
  subgraph: SubgraphTransport,
  { body, headers, signal }: SubgraphRequest,
): Promise<SubgraphResponse> {
  const timedOut = new SubgraphFailure('GATEWAY_TIMEOUT', `no answer within ${subgraph.timeoutMs} ms`);
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal.reason);
  const timer = setTimeout(() => controller.abort(timedOut), subgraph.timeoutMs);
  signal.addEventListener('abort', abort);
  if (signal.aborted) {
    abort();
  }
  try {
    const response = await request(subgraph.url, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
      body,
      dispatcher: agent,
      signal: controller.signal,
    });
    return {
      body: await readJson(response, subgraph.maxResponseBytes),
      cacheControl: fieldOf(response.headers, 'cache-control'),
    };
  } catch (error) {
    if (controller.signal.aborted) {
      throw controller.signal.reason;
    }
    throw error instanceof SubgraphFailure
      ? error
      : new SubgraphFailure('SUBREQUEST_HTTP_ERROR', 'the subgraph could not be reached', { cause: error });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

async function readJson({ statusCode, body }: Dispatcher.ResponseData, maxBytes: number): Promise<unknown> {
  if (statusCode < 200 || statusCode > 299) {
    await body.dump();
    throw new SubgraphFailure('SUBREQUEST_HTTP_ERROR', `the subgraph answered with the status ${statusCode}`);
  }
  const stream: AsyncIterable<Uint8Array> = body;
  const chunks: Uint8Array[] = [];
  let receivedBytes = 0;
  for await (const chunk of stream) {
    receivedBytes += chunk.length;
    if (receivedBytes > maxBytes) {
      // Leaving the loop ends the body, and its connection with it.
      throw new SubgraphFailure('SUBREQUEST_MALFORMED_RESPONSE', `the answer is over ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks, receivedBytes).toString('utf8'));
  } catch (error) {
    throw new SubgraphFailure('SUBREQUEST_MALFORMED_RESPONSE', 'the answer is not JSON', { cause: error });
  }
}

function fieldOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
