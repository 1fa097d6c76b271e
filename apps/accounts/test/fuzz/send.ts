import { once } from 'node:events';
import { Agent, request as sendRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import { problemKinds } from '@meridian/problem-details';

/** A request exactly as it is sent; `fetch` would normalise it. */
export interface FuzzedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface FuzzedResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** Sends requests to one service over kept connections. */
export function createSender(serviceUrl: string) {
  const { hostname, port } = new URL(serviceUrl);
  const agent = new Agent({ keepAlive: true });
  return {
    async send({ method, target, headers, body }: FuzzedRequest): Promise<FuzzedResponse> {
      const request = sendRequest({ agent, hostname, port, method, path: target, headers });
      request.end(body);
      const [response]: IncomingMessage[] = await once(request, 'response');
      if (response === undefined) {
        throw new Error('An event without its message');
      }
      return {
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: await text(response),
      };
    },
    close: () => agent.destroy(),
  };
}

/** The fault of a response to a client that sends nonsense; undefined without one. */
export function faultOf({ status, headers, body }: FuzzedResponse, method: string): string | undefined {
  if (status >= 500) {
    return `answered ${status}: ${body}`;
  }
  if (status < 400) {
    return undefined;
  }
  if (headers['content-type'] !== 'application/problem+json') {
    return `${status} came as ${headers['content-type']}`;
  }
  if (method === 'HEAD') {
    return undefined;
  }
  const shown: { type: string; status: number } = JSON.parse(body);
  const kind = shown.type.slice(shown.type.lastIndexOf('/') + 1);
  const known = Object.entries(problemKinds).find(([name]) => name === kind)?.[1];
  return known?.status === status && shown.status === status
    ? undefined
    : `${status} is no "${kind}" of the table`;
}
