// The floor: a Node process that makes the recorded calls with the executor's HTTP client, sends the recorded response,
// and does nothing else.
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import process from 'node:process';
import { text } from 'node:stream/consumers';

import { createHttpTransport, createSubgraphClient } from '@meridian/executor';

import type { RecordedCall, Recording } from './record-calls.ts';

const { RECORDINGS_PATH = '', PORT = '' } = process.env;
/** By operation name and offset. */
const recordings: Readonly<Record<string, Recording>> = JSON.parse(readFileSync(RECORDINGS_PATH, 'utf8'));
const responses = new Map(
  Object.entries(recordings).map(([key, recording]) => [key, Buffer.from(recording.response)]),
);

interface FloorRequest {
  readonly operationName: string;
  readonly variables: { readonly offset?: number };
}

const urls = Object.values(recordings).flatMap(({ rounds }) => rounds.flat().map(({ url }) => url));
const transport = createHttpTransport({
  client: createSubgraphClient(),
  targets: new Map(urls.map((url) => [url, { url, timeoutMs: 5000, maxResponseBytes: 16 * 2 ** 20 }])),
});
const headers = { 'content-type': 'application/json' };
const { signal } = new AbortController();

createServer((incoming, response) => void respond(incoming, response)).listen(Number(PORT), '127.0.0.1');

async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  if (incoming.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const { operationName, variables }: FloorRequest = JSON.parse(await text(incoming));
  const key = `${operationName} ${variables.offset ?? 0}`;
  for (const round of recordings[key]?.rounds ?? []) {
    await Promise.all(round.map(repeat));
  }
  const bytes = responses.get(key);
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': bytes?.length });
  response.end(bytes);
}

async function repeat({ url, body }: RecordedCall): Promise<void> {
  const run = { variables: {}, signal };
  await transport.send({ subgraph: url, operationKind: 'query', body, headers, signal, run });
}
