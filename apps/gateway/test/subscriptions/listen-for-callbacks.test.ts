import type { RequestListener } from 'node:http';

import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createLogger } from '@meridian/telemetry';
import { listenOnLoopback } from '@meridian/testing';

import { createRenderProblem } from '../../src/errors/render-problem.ts';
import { createCallbackStreams } from '../../src/subscriptions/callback-streams.ts';
import type { CallbackListener } from '../../src/subscriptions/listen-for-callbacks.ts';
import { listenForCallbacks } from '../../src/subscriptions/listen-for-callbacks.ts';

const secret = 'shared by replicas';
let listener: CallbackListener;
let url: string;

beforeEach(async () => {
  const lines: string[] = [];
  const logger = createLogger({
    service: 'gateway',
    level: 'info',
    destination: { write: (line: string) => void lines.push(line) },
  });
  listener = await listenForCallbacks({
    callbacks: {
      listen: { host: '127.0.0.1', port: 0 },
      isAtClients: false,
      path: '/callback',
      secret,
      replicaUrl: 'http://own',
    },
    maxBytes: 10_000,
    renderProblem: createRenderProblem(logger),
    logger,
  });
  const { address } = JSON.parse(lines[0] ?? '') as { address: { port: number } };
  url = `http://127.0.0.1:${address.port}/callback`;
});
afterEach(() => listener.close());

/** Calls back for a stream of another replica; returns the status. */
async function call(replicaUrl: string): Promise<number> {
  const streams = createCallbackStreams({ secret, ownPort: undefined, replicaUrl });
  const {
    callbackUrl,
    subscriptionId: id,
    verifier,
  } = streams.expect(url, {
    onCheck() {},
    onNext() {},
    onComplete() {},
  });
  const { status } = await fetch(callbackUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'subscription', action: 'check', id, verifier }),
  });
  return status;
}

it.each<[string, number, RequestListener]>([
  ['knows the stream', 204, (_, response) => response.writeHead(204).end()],
  ['does not know it', 404, (_, response) => response.writeHead(404).end()],
  ['loses the connection', 503, (request) => request.socket.resetAndDestroy()],
  [
    'breaks off its response',
    503,
    (_, response) => response.writeHead(200).write('a', () => response.destroy()),
  ],
  ['stalls', 503, () => {}],
])('A call for a stream of a replica that %s has status %i', async (_case, status, replica) => {
  await using server = await listenOnLoopback(replica);
  expect(await call(server.url)).toBe(status);
});

it('A call for a stream of a replica that has ended has status 404', async () => {
  const server = await listenOnLoopback(() => {});
  await server.close();
  expect(await call(server.url)).toBe(404);
});
