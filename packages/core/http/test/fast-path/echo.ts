import { setImmediate } from 'node:timers/promises';

import { StopController } from '@meridian/cancellation';
import type { Exchange, HttpResponse, ServeExchange } from '@meridian/http';

import { FastExchange } from '../../src/fast-path/fast-exchange.ts';

export interface Echo {
  readonly serve: ServeExchange;
  /** The number of requests that came by the fast path. */
  readonly servedFast: () => number;
}

const signal = new StopController();

/**
 * Answers each request with what the server has understood of it.
 *
 * @param isLater true for answers in a later turn of the event loop
 */
export function createEcho({ isLater }: { readonly isLater: boolean }): Echo {
  let count = 0;
  const respond = async (exchange: Exchange): Promise<void> => {
    const response = await echoOf(exchange);
    if (isLater) {
      await setImmediate();
    }
    exchange.send(response, fields);
  };
  return {
    serve(exchange) {
      count += exchange instanceof FastExchange ? 1 : 0;
      void respond(exchange);
    },
    servedFast: () => count,
  };
}

const fields = ['Request-Id', 'a', 'X-Further', 'b'];

async function echoOf(exchange: Exchange): Promise<HttpResponse> {
  const { method, url, headers, peer } = exchange;
  let body: Buffer;
  try {
    body = await exchange.readBody({ maxBytes: 1_000_000, signal });
  } catch (error) {
    return { status: 400, body: String(error) };
  }
  const understood = { method, url, headers, peer, body: body.toString('latin1') };
  const text = JSON.stringify(understood);
  switch (url) {
    case '/status/204':
      return { status: 204 };
    case '/status/304':
      return { status: 304, headers: { ETag: '"a"' }, body: text };
    case '/status/500':
      return {
        status: 500,
        headers: { 'Content-Type': 'application/json', 'X-Latin': 'caf\u00e9' },
        body: bytesOf(text),
      };
    case '/large':
      return { status: 200, body: text.padEnd(9000, '\u00e9') };
    case '/parts':
      return { status: 200, headers: { 'Content-Type': 'text/event-stream' }, body: inParts(text) };
    case '/parts/large':
      return { status: 200, body: inParts(text.padEnd(100_000, '\u00e9')) };
    case '/parts/close':
      return { status: 200, headers: { Connection: 'close' }, body: inParts(text) };
    case '/parts/204':
      return { status: 204, body: inParts(text) };
    case '/parts/failing':
      return { status: 200, body: inParts(text, new Error('no more')) };
    case '/close':
      return { status: 200, headers: { Connection: 'close' }, body: text };
    default:
      return { status: 200, headers: { 'Content-Type': 'application/json' }, body: text };
  }
}

/** A text in three parts, as bytes and as text, some of them in later turns of the event loop, and empty ones. */
async function* inParts(text: string, failure?: Error): AsyncGenerator<string | Uint8Array> {
  yield text.slice(0, 5);
  yield '';
  yield bytesOf(text.slice(5, 10));
  await setImmediate();
  yield new Uint8Array();
  yield text.slice(10);
  if (failure !== undefined) {
    await setImmediate();
    throw failure;
  }
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
