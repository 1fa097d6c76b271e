// The floor: a Node process that makes the calls that were recorded and answers what was recorded, and does nothing else.
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import process from 'node:process';
import { text } from 'node:stream/consumers';

import { Agent, request } from 'undici';

import type { RecordedCall, Recording } from './record-calls.ts';

const { RECORDINGS_PATH = '', PORT = '' } = process.env;
/** By operation name and offset. */
const recordings: Readonly<Record<string, Recording>> = JSON.parse(readFileSync(RECORDINGS_PATH, 'utf8'));
interface Asked {
  readonly operationName: string;
  readonly variables: { readonly offset: number };
}

const agent = new Agent({ connections: 256, pipelining: 1 });

createServer((incoming, response) => void answer(incoming, response)).listen(Number(PORT), '127.0.0.1');

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  if (incoming.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const { operationName, variables }: Asked = JSON.parse(await text(incoming));
  const recording = recordings[`${operationName} ${variables.offset}`];
  for (const round of recording?.rounds ?? []) {
    await Promise.all(round.map(repeat));
  }
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(recording?.answer);
}

async function repeat({ url, body }: RecordedCall): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answered = await request(url, { method: 'POST', body, headers, dispatcher: agent });
  await answered.body.arrayBuffer();
}
