// The floor: a Node process that makes the calls that were recorded and answers what was recorded, and does nothing
// else. CLIENT says with whose HTTP client: `undici`, or `own`, which is the executor's.
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import process from 'node:process';
import { text } from 'node:stream/consumers';

import type { SubgraphTarget } from '@meridian/executor';
import { createSubgraphClient } from '@meridian/executor';
import { Agent, request } from 'undici';

import type { RecordedCall, Recording } from './record-calls.ts';

const { RECORDINGS_PATH = '', PORT = '', CLIENT = 'undici' } = process.env;
/** By operation name and offset. */
const recordings: Readonly<Record<string, Recording>> = JSON.parse(readFileSync(RECORDINGS_PATH, 'utf8'));
const responses = new Map(
  Object.entries(recordings).map(([key, recording]) => [key, Buffer.from(recording.response)]),
);

interface Asked {
  readonly operationName: string;
  readonly variables: { readonly offset?: number };
}

const agent = new Agent({ connections: 256, pipelining: 1 });
const client = createSubgraphClient();
/** The client knows a target that it has seen before. */
const targets = new Map<string, SubgraphTarget>();
const headers = { 'content-type': 'application/json' };
const { signal } = new AbortController();
const repeat = CLIENT === 'own' ? repeatWithOwn : repeatWithUndici;

createServer((incoming, response) => void respond(incoming, response)).listen(Number(PORT), '127.0.0.1');

async function respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  if (incoming.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const { operationName, variables }: Asked = JSON.parse(await text(incoming));
  const key = `${operationName} ${variables.offset ?? 0}`;
  for (const round of recordings[key]?.rounds ?? []) {
    await Promise.all(round.map(repeat));
  }
  const bytes = responses.get(key);
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': bytes?.length });
  response.end(bytes);
}

async function repeatWithUndici({ url, body }: RecordedCall): Promise<void> {
  const answered = await request(url, { method: 'POST', body, headers, dispatcher: agent });
  await answered.body.arrayBuffer();
}

async function repeatWithOwn({ url, body }: RecordedCall): Promise<void> {
  const target = targets.get(url) ?? { url, timeoutMs: 5000, maxResponseBytes: 16 * 2 ** 20 };
  targets.set(url, target);
  await client.send(target, { operationKind: 'query', body, headers, signal });
}
