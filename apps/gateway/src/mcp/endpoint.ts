import type { IncomingHttpHeaders } from 'node:http';

import type { Caller } from '@meridian/auth';
import type { Exchange, HttpResponse } from '@meridian/http';
import { targetOf } from '@meridian/http';
import { isRecord } from '@meridian/settings/values';

import { bodyCoding } from '../http/body-coding.ts';
import type { LoadLimit } from '../http/limit-load.ts';
import type { GatewayRequest } from '../interceptors/gateway-request.ts';
import type { BodyRules } from '../pipeline/2-identify/read-body-members.ts';
import { membersOfBody, readWholeBody } from '../pipeline/2-identify/read-body-members.ts';
import type { ToolResult } from './call-tool.ts';
import type { ProtectedResource } from './protected-resource.ts';
import { missingScopes } from './protected-resource.ts';
import type { McpMessage } from './serve-protocol.ts';
import type { Tool, Tools } from './tools.ts';

export interface EndpointOptions {
  readonly path: string;
  readonly resource: ProtectedResource;
  readonly tools: () => Tools;
  /** @throws {RequestError} UNAUTHENTICATED or SERVICE_UNAVAILABLE */
  readonly identify: (
    sender: Pick<Exchange, 'headers' | 'peer'>,
  ) => Caller | undefined | Promise<Caller | undefined>;
  readonly load: LoadLimit;
  readonly bodyRules: BodyRules;
  readonly serveMessage: (message: McpMessage) => Promise<HttpResponse>;
  readonly callTool: (
    request: GatewayRequest,
    tool: Tool,
    given: Readonly<Record<string, unknown>>,
  ) => Promise<ToolResult>;
}

/**
 * Creates the handling of requests for the endpoint and its metadata: what HTTP and OAuth ask for, before a message gets
 * to the protocol's library.
 *
 * @throws {RequestError}
 */
export function createEndpoint(options: EndpointOptions): (request: GatewayRequest) => Promise<HttpResponse> {
  const { path: endpointPath, resource, tools, identify, load } = options;
  return async (request) => {
    const { exchange, context } = request;
    const { headers, method } = exchange;
    const { path } = targetOf(exchange);
    context.route = path;
    request.mediaType = 'application/json';
    // MCP 2025-11-25, "Security Warning" of streamable HTTP.
    if (!resource.allowsOrigin(headers)) {
      return errorResponse(403, 'Pages of this origin may not call: router.yaml lists origins under cors');
    }
    if (path !== endpointPath) {
      return method === 'GET'
        ? resource.metadata(headers, tools().scopes)
        : errorResponse(405, 'Send a GET', { Allow: 'GET' });
    }
    if (method !== 'POST') {
      return errorResponse(405, 'Send a POST: there are no sessions', { Allow: 'POST' });
    }
    load.checkRoom();
    const caller = await identify(exchange);
    request.caller = caller;
    request.isIdentified = true;
    if (!isJson(headers)) {
      return errorResponse(415, 'The body must be declared as application/json');
    }
    return await respondToMessage(request, options);
  };
}

function isJson({ 'content-type': type = '' }: IncomingHttpHeaders): boolean {
  return type.split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}

async function respondToMessage(
  request: GatewayRequest,
  { resource, tools, load, bodyRules, serveMessage, callTool }: EndpointOptions,
): Promise<HttpResponse> {
  const { exchange, signal, caller } = request;
  const { headers } = exchange;
  bodyCoding(headers['content-encoding']);
  const requestLoad = load.begin(caller?.tenantId);
  try {
    const body = await readWholeBody(exchange, bodyRules, { signal, load: requestLoad });
    const message: Readonly<Record<string, unknown>> = { ...membersOfBody(body, bodyRules) };
    // From here on, the deadline is the one of the call.
    signal.endDeadline();
    const { id, method, params } = message;
    if (method === 'subscriptions/listen') {
      return errorResponse(404, 'There are no notifications: read tools/list again', {}, id);
    }
    const known = tools();
    const missing = missingScopes(known.byName.get(calledTool(message))?.requirements ?? [], caller);
    if (missing !== undefined) {
      const [status, error] = caller === undefined ? [401, undefined] : [403, 'insufficient_scope' as const];
      const text = `This tool needs a token with the scopes: ${missing.join(', ')}`;
      const fields = { 'WWW-Authenticate': resource.challenge(headers, error, missing) };
      return errorResponse(status, text, fields, id);
    }
    const response = await serveMessage({
      headers: protocolFields(headers),
      message,
      tools: known,
      callTool(tool) {
        // The call counts for itself.
        request.isAdmitted = true;
        // As they were parsed here: the library would round large numbers.
        const given = isRecord(params) ? params['arguments'] : undefined;
        return callTool(request, tool, isRecord(given) ? given : {});
      },
    });
    if (signal.aborted) {
      throw signal.reason;
    }
    return response;
  } finally {
    requestLoad.release();
  }
}

/** The name of the tool that a message calls; empty for any other message. */
function calledTool({ method, params }: Readonly<Record<string, unknown>>): string {
  const name = method === 'tools/call' && isRecord(params) ? params['name'] : undefined;
  return typeof name === 'string' ? name : '';
}

/** The header fields that the protocol's library reads. */
function protocolFields(headers: IncomingHttpHeaders): Headers {
  const fields = Object.entries(headers).filter(
    (field): field is [string, string] =>
      typeof field[1] === 'string' && /^(?:accept|content-type|mcp-.+)$/u.test(field[0]),
  );
  return new Headers(fields);
}

/** JSON-RPC 2.0 §5.1. */
const codes: Readonly<Record<number, number>> = { 400: -32_600, 404: -32_601 };
/** For all others: of the range that JSON-RPC leaves to servers. */
const serverError = -32_000;

/** The response to a message that does not get to the protocol's library. */
export function errorResponse(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  id: unknown = null,
): HttpResponse {
  return {
    status,
    headers: { ...headers, 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: typeof id === 'string' || typeof id === 'number' ? id : null,
      error: { code: codes[status] ?? serverError, message },
    }),
  };
}
