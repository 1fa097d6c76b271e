// The page's requests to the gateway that serves it.
import type { FetcherParams } from '@graphiql/toolkit';

import type { FetchRun, PlanRun } from '../../plan/plan.tsx';
import type { Explanation, ListedOperation, Session } from '../session.ts';

/** A run of an operation: its response, apart from the body. */
export interface Run {
  readonly status: number;
  readonly durationMs: number;
  readonly bytes: number;
  /** Its header fields, by name. */
  readonly headers: readonly (readonly [string, string])[];
  readonly traceId: string | undefined;
  /** The fetches as they were sent, by their numbers in the plan; absent where the gateway does not record them. */
  readonly fetches: PlanRun | undefined;
  /** The request as a command for a terminal. It holds the token. */
  readonly curl: string;
}

/** The last run of each operation with its variables, by `keyOfRun`. */
export type Runs = ReadonlyMap<string, Run>;

/** Identifies an operation with its variables, whichever tab it is in. */
export function keyOfRun({ query, operationName = null, variables = {} }: FetcherParams): string {
  return JSON.stringify([query, operationName, variables]);
}

export async function loadSession(): Promise<Session> {
  const response = await fetch('/explorer/session');
  if (!response.ok) {
    throw new Error(`The gateway responded with ${response.status}`);
  }
  return await bodyOf<Session>(response);
}

/** Requests the explanation of an operation; undefined where the gateway has none. */
export async function explain(
  operation: { readonly query: string; readonly operationName: string | null; readonly variables: object },
  signal: AbortSignal,
): Promise<Explanation | undefined> {
  const response = await fetch('/explorer/explanation', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(operation),
    signal,
  });
  return response.ok ? await bodyOf<Explanation>(response) : undefined;
}

/** A response, whole or in parts, and what there is to know about it once it is over. */
export interface RunningOperation {
  readonly body: object | AsyncIterable<object>;
  readonly run: Promise<Run>;
}

/**
 * Sends an operation as clients do: one of the manifest, word for word, by its identifier. One that defers fragments, and
 * a subscription, have a response in parts.
 */
export async function run(
  { graphPath, operations }: Session,
  { query, operationName, variables }: FetcherParams,
  entered: Readonly<Record<string, string>>,
): Promise<RunningOperation> {
  const listed = listedAs(query, operations);
  const headers = {
    'apollographql-client-name': 'explorer',
    ...entered,
    'Content-Type': 'application/json',
    Accept: 'application/json, multipart/mixed;deferSpec=20220824, multipart/mixed;subscriptionSpec=1.0',
  };
  const body = JSON.stringify({
    ...(listed === undefined
      ? { query }
      : { extensions: { persistedQuery: { version: 1, sha256Hash: listed.id } } }),
    operationName,
    variables,
  });
  const startedMs = performance.now();
  const response = await fetch(graphPath, { method: 'POST', headers, body });
  const runOf = async (bytes: number): Promise<Run> => ({
    status: response.status,
    durationMs: performance.now() - startedMs,
    bytes,
    headers: [...response.headers],
    traceId: response.headers.get('apollo-trace-id') ?? undefined,
    fetches: await findFetches(response.headers.get('request-id') ?? ''),
    curl: curlOf(new URL(graphPath, location.href), headers, body),
  });
  if (response.headers.get('content-type')?.startsWith('multipart/') === true) {
    const { promise, resolve } = Promise.withResolvers<number>();
    return { body: partsOf(response, resolve), run: promise.then(runOf) };
  }
  const text = await response.text();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every response of the endpoint is an object
  return { body: JSON.parse(text) as object, run: runOf(new TextEncoder().encode(text).length) };
}

/**
 * The results in a response in parts, without heartbeats.
 *
 * @param onEnd called with the length of the response, in bytes
 */
async function* partsOf(
  response: Response,
  onEnd: (bytes: number) => void,
): AsyncGenerator<object, void, void> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let bytes = 0;
  let rest = '';
  try {
    for (;;) {
      const { value } = (await reader?.read()) ?? {};
      if (value === undefined) {
        return;
      }
      bytes += value.length;
      const pieces = (rest + decoder.decode(value, { stream: true })).split('\r\n--graphql');
      rest = pieces.pop() ?? '';
      for (const piece of pieces.filter((text) => text !== '')) {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every part is one
        const part = JSON.parse(piece.slice(piece.indexOf('\r\n\r\n'))) as GatewayPart;
        if ('payload' in part) {
          yield part.payload ?? { errors: part.errors };
        } else if (Object.keys(part).length > 0) {
          yield part;
        }
      }
    }
  } finally {
    await reader?.cancel();
    onEnd(bytes);
  }
}

/** An event of a subscription, its end with errors, or a part of a deferred result. */
interface GatewayPart {
  readonly payload?: object | null;
  readonly errors?: readonly object[];
}

interface RecordedFetch extends FetchRun {
  readonly number?: number;
}

/** The fetches of a request that has just been responded to, as the gateway recorded them. */
async function findFetches(requestId: string): Promise<Run['fetches']> {
  const response = await fetch(`/explorer/run?id=${encodeURIComponent(requestId)}`);
  if (!response.ok) {
    return undefined;
  }
  const { fetches } = await bodyOf<{ fetches: readonly RecordedFetch[] }>(response);
  // Requests of another executor have no number, and cannot be found in the plan.
  const isNumbered = fetches.every(({ number }) => number !== undefined);
  return isNumbered ? new Map(fetches.map((sent) => [sent.number ?? 0, sent])) : undefined;
}

function curlOf(url: URL, headers: Readonly<Record<string, string>>, body: string): string {
  return [
    `curl ${quoted(url.href)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    `-d ${quoted(body)}`,
  ].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The schema as clients see it, in the form of a response to an introspection query. */
export async function loadSchema(): Promise<object> {
  return await bodyOf<object>(await fetch('/explorer/schema'));
}

/** The operation of the manifest that a text is. */
export function listedAs(text: string, operations: readonly ListedOperation[]): ListedOperation | undefined {
  return operations.find(({ body }) => body === text);
}

async function bodyOf<Body>(response: Response): Promise<Body> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- page and gateway are of one version
  return (await response.json()) as Body;
}
