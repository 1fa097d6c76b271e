// The page's requests to the gateway that serves it.
import type { FetcherParams } from '@graphiql/toolkit';

import type { FetchRun, PlanRun } from '../../plan/plan.tsx';
import type { Explanation, ListedOperation, Session } from '../session.ts';
import type { Part } from './time-line.tsx';

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
export type Runs = ReadonlyMap<string, StartedRun>;

export interface StartedRun {
  /** Of its own: an operation may run again. */
  readonly id: symbol;
  /** The latest that have arrived; none of a response that comes at once. */
  readonly parts: readonly Part[];
  /** Once the response is over. */
  readonly run?: Run;
}

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
 *
 * @param onPart called with each of them
 */
export async function run(
  { graphPath, operations }: Session,
  { query, operationName, variables }: FetcherParams,
  entered: Readonly<Record<string, string>>,
  onPart: (part: Part) => void,
): Promise<RunningOperation> {
  const listed = listedAs(query, operations);
  const headers = {
    'apollographql-client-name': 'explorer',
    ...entered,
    'Content-Type': 'application/json',
    Accept: 'application/json, multipart/mixed;deferSpec=20220824, multipart/mixed;subscriptionSpec=1.0',
  };
  const sent = JSON.stringify({
    ...(listed === undefined
      ? { query }
      : { extensions: { persistedQuery: { version: 1, sha256Hash: listed.id } } }),
    operationName,
    variables,
  });
  const startedMs = performance.now();
  const response = await fetch(graphPath, { method: 'POST', headers, body: sent });
  const runOf = async (bytes: number): Promise<Run> => ({
    status: response.status,
    durationMs: performance.now() - startedMs,
    bytes,
    headers: [...response.headers],
    traceId: response.headers.get('apollo-trace-id') ?? undefined,
    fetches: await findFetches(response.headers.get('request-id') ?? ''),
    curl: curlOf(new URL(graphPath, location.href), headers, sent),
  });
  if (response.headers.get('content-type')?.startsWith('multipart/') === true) {
    const { promise, resolve } = Promise.withResolvers<number>();
    let number = 0;
    const reader = response.body?.getReader();
    const parts = partsOf(reader, {
      onEnd: resolve,
      onPart(part) {
        number += 1;
        onPart({ number, name: nameOf(part, number), arrivedMs: performance.now() - startedMs });
      },
    });
    // A generator alone would end only after the part that it waits for.
    const body: AsyncIterableIterator<object> = {
      [Symbol.asyncIterator]: () => body,
      next: () => parts.next(),
      async return() {
        await reader?.cancel();
        return await parts.return();
      },
    };
    return { body, run: promise.then(runOf) };
  }
  const text = await response.text();
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every response of the endpoint is an object
  return { body: JSON.parse(text) as object, run: runOf(new TextEncoder().encode(text).length) };
}

interface PartsObserver {
  readonly onPart: (part: GatewayPart) => void;
  /** Called with the length of the response, in bytes. */
  readonly onEnd: (bytes: number) => void;
}

/** The results in a response in parts, without heartbeats. */
async function* partsOf(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
  { onPart, onEnd }: PartsObserver,
): AsyncGenerator<object, void, void> {
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
        if (Object.keys(part).length > 0) {
          onPart(part);
          yield part.payload === undefined ? part : (part.payload ?? { errors: part.errors });
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
  readonly incremental?: readonly DeferredResult[];
  readonly hasNext?: boolean;
}

interface DeferredResult {
  readonly label?: string;
  readonly path: readonly (string | number)[];
  readonly data: object | null;
}

/** An event by its number; deferred results by the first of them: its label, else its path and fields. */
function nameOf({ payload, errors, incremental, hasNext }: GatewayPart, number: number): string {
  if (payload !== undefined) {
    return payload === null ? 'end, with errors' : `event ${number}`;
  }
  const [first, ...others] = incremental ?? [];
  if (first === undefined) {
    return hasNext === false && errors === undefined && number > 1 ? 'end' : 'first result';
  }
  const { label, path, data } = first;
  const name = label ?? [...path, Object.keys(data ?? {}).join(', ')].join('.');
  return others.length === 0 ? name : `${name} and ${others.length} more`;
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
