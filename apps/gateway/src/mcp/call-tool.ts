import type { IncomingHttpHeaders } from 'node:http';

import type { StopSignal } from '@meridian/cancellation';
import type { HttpResponse, ServeExchange } from '@meridian/http';
import { isRecord } from '@meridian/settings/values';

import { OperationExchange } from '../http/operation-exchange.ts';
import type { OperationHead } from '../http/operation-exchange.ts';
import type { Tool } from './tools.ts';

/** The result of a call: a text, which is an error or the response of the graph. */
export interface ToolResult {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly isError: boolean;
  readonly [member: string]: unknown;
}

export interface CallOptions {
  /** Of the request for the graph. */
  readonly head: OperationHead;
  /** Serves the operation as a request of its own. */
  readonly serve: ServeExchange;
  /** Aborts when the client has left. */
  readonly signal: StopSignal;
  readonly maxBytes: number;
}

/**
 * Runs the operation of a tool through the whole pipeline, by its identifier. What the pipeline rejects is an error of
 * the tool: a model can read it, and try again.
 *
 * @param given the arguments, which are the operation's variables
 */
export async function callTool(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  { head, serve, signal, maxBytes }: CallOptions,
): Promise<ToolResult> {
  const accepted = Object.keys(tool.shown.inputSchema.properties);
  const unknown = Object.keys(given).filter((name) => !accepted.includes(name));
  if (unknown.length > 0) {
    const list = accepted.length === 0 ? 'takes no arguments' : `takes ${accepted.join(', ')}`;
    return failure(
      `There is no argument ${unknown.join(', ').slice(0, maxQuoted)}: ${tool.shown.name} ${list}`,
    );
  }
  const body = Buffer.from(JSON.stringify({ documentId: tool.id, variables: given }));
  const exchange = new OperationExchange(head, body);
  const left = Promise.withResolvers<undefined>();
  const stop = (): void => {
    left.resolve(undefined);
    exchange.end();
  };
  signal.addEventListener('abort', stop);
  void serve(exchange);
  const response = await Promise.race([exchange.response, left.promise]);
  signal.removeEventListener('abort', stop);
  exchange.end(response?.status);
  return response === undefined ? failure('The call was cancelled') : resultOf(response, tool, maxBytes);
}

const maxQuoted = 200;
const maxErrors = 10;

function failure(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function resultOf({ headers, body }: HttpResponse, tool: Tool, maxBytes: number): ToolResult {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body instanceof Uint8Array ? body : undefined;
  if (bytes === undefined) {
    return failure('The operation has no response that fits a tool');
  }
  if (bytes.length > maxBytes) {
    return failure(
      `The response has ${bytes.length} bytes, more than the ${maxBytes} that are allowed. ${askForLess(tool)}`,
    );
  }
  const text = Buffer.from(bytes).toString();
  const parsed: unknown = JSON.parse(text);
  const { data, errors } = isRecord(parsed) ? parsed : {};
  const isFailed = errors !== undefined && Object.values(data ?? {}).every((value) => value === null);
  if (isRecord(data) && !isFailed) {
    return { content: [{ type: 'text', text }], isError: false };
  }
  return failure(describeErrors(errors, tool, headers?.['Retry-After']));
}

/** Codes of operations that ask for too much. */
const tooMuch: ReadonlySet<unknown> = new Set(['COST_ESTIMATED_TOO_EXPENSIVE', 'PAGE_SIZE_LIMIT']);

/** Messages for clients, which the pipeline has masked. */
function describeErrors(errors: unknown, tool: Tool, retryAfter: string | undefined): string {
  const list = (Array.isArray(errors) ? errors : []).filter(isRecord);
  const lines = list.slice(0, maxErrors).map(({ message, path, extensions }) => {
    const code = isRecord(extensions) ? String(extensions['code']) : '';
    const place = Array.isArray(path) ? ` (at ${path.join('.')})` : '';
    return `${code}: ${String(message)}${place}`;
  });
  const asksTooMuch = list.some(({ extensions }) => isRecord(extensions) && tooMuch.has(extensions['code']));
  return [
    ...(lines.length > 0 ? lines : ['The operation has no data']),
    ...(asksTooMuch ? [askForLess(tool)] : []),
    ...(retryAfter === undefined ? [] : [`Try again in ${retryAfter} s.`]),
  ].join('\n');
}

function askForLess({ pageSizes, shown }: Tool): string {
  if (pageSizes.length === 0) {
    return 'Ask for less: this operation has no size of a page, so use one that selects less.';
  }
  const cursor = Object.keys(shown.inputSchema.properties).find((name) => /after|cursor|offset/iu.test(name));
  const next = cursor === undefined ? '' : `, then the next page with ${cursor}`;
  return `Ask for less: a smaller ${[...new Set(pageSizes)].join(', ')}${next}.`;
}

/** Fields about the message of the client, and those that choose the form of a response. */
const ownFields =
  /^(?:connection|content-.+|transfer-encoding|accept|accept-.+|if-.+|range|expect|te|trailer|last-event-id|mcp-.+|apollographql-client-.+|cookie|origin)$/u;

/** The header fields of the request for the graph. */
export function headersOfCall(headers: IncomingHttpHeaders, clientName: string): IncomingHttpHeaders {
  return {
    ...Object.fromEntries(Object.entries(headers).filter(([name]) => !ownFields.test(name))),
    'content-type': 'application/json',
    accept: 'application/graphql-response+json',
    'apollographql-client-name': clientName,
  };
}
