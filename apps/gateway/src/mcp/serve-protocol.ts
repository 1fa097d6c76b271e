import type { HttpResponse } from '@meridian/http';
import type { ListToolsResult } from '@modelcontextprotocol/server';
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  isLegacyRequest,
} from '@modelcontextprotocol/server';

import { readVersion } from '../program/read-version.ts';
import type { ToolResult } from './call-tool.ts';
import type { Tool, Tools } from './tools.ts';

/** A message of a client, and what answers it. */
export interface McpMessage {
  readonly headers: Headers;
  /** JSON, as parsed. */
  readonly message: unknown;
  readonly tools: Tools;
  /** Runs a tool with the arguments of the message. */
  readonly callTool: (tool: Tool) => Promise<ToolResult>;
}

export interface ProtocolOptions {
  readonly instructions: string;
  /** Called for errors that the protocol's library has made a response of. */
  readonly onError: (error: Error) => void;
}

/** The most tools of a page of the list. */
const pageLength = 200;
/** The time for which a client may keep the list. A reload of the manifest is seen after it. */
const listTtlMs = 60_000;

const capabilities = { tools: {} };
/** For questions to the user, which this server never asks; the library would make a compiler of schemas for each message. */
const jsonSchemaValidator = {
  getValidator(): never {
    throw new Error('not used');
  },
};

/**
 * Serves single messages by the protocol's library: of revision 2026-07-28, which has no sessions, and of the ones
 * before, without sessions. Each message has its own server object, so that any process can answer it.
 *
 * MCP, "Streamable HTTP".
 */
export function createProtocol({
  instructions,
  onError,
}: ProtocolOptions): (message: McpMessage) => Promise<HttpResponse> {
  const info = { name: 'meridian', version: readVersion() };
  const options = {
    capabilities,
    instructions,
    jsonSchemaValidator,
    cacheHints: { 'tools/list': { ttlMs: listTtlMs, cacheScope: 'private' as const } },
  };
  const serverFor = ({ tools, callTool }: McpMessage): Server => {
    const server = new Server(info, options);
    server.setRequestHandler('tools/list', ({ params }) => pageOf(tools, params?.cursor));
    server.setRequestHandler('tools/call', async ({ params: { name } }) => {
      const tool = tools.byName.get(name);
      if (tool === undefined) {
        throw invalidParams(`There is no tool ${name.slice(0, maxQuoted)}`);
      }
      return await callTool(tool);
    });
    return server;
  };
  const underWay = new WeakMap<Request, McpMessage>();
  const current = createMcpHandler(
    ({ requestInfo }) => {
      const message = requestInfo && underWay.get(requestInfo);
      if (message === undefined) {
        throw new Error('a message without its request');
      }
      return serverFor(message);
    },
    { legacy: 'reject', onerror: onError },
  );
  const serveEarlier = async (request: Request, message: McpMessage): Promise<Response> => {
    const server = serverFor(message);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody: message.message });
    } finally {
      await server.close();
    }
  };
  return async (message) => {
    const request = new Request('http://mcp.invalid/', { method: 'POST', headers: message.headers });
    underWay.set(request, message);
    const response = (await isLegacyRequest(request, message.message))
      ? await serveEarlier(request, message)
      : await current.fetch(request, { parsedBody: message.message });
    const body = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get('content-type');
    return {
      status: response.status,
      headers: { 'Cache-Control': 'no-store', ...(type !== null && { 'Content-Type': type }) },
      ...(body.length > 0 && { body }),
    };
  };
}

const maxQuoted = 100;

function pageOf({ byName }: Tools, cursor = '0'): ListToolsResult {
  const start = /^\d{1,6}$/u.test(cursor) ? Number(cursor) : Number.NaN;
  if (!(start <= byName.size)) {
    throw invalidParams('The cursor is not one of this list');
  }
  const end = start + pageLength;
  const shown: unknown = [...byName.values()].slice(start, end).map((tool) => tool.shown);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Their schemas consist of JSON.
  const tools = shown as ListToolsResult['tools'];
  return { tools, ...(end < byName.size && { nextCursor: String(end) }) };
}

function invalidParams(message: string): Error {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}
