import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { pipeline } from 'node:stream';
import { parentPort, workerData } from 'node:worker_threads';

import type { RelayedPorts } from './relay.ts';

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- relay.ts gives it
const { ports, targets } = workerData as RelayedPorts;

await Promise.all(ports.map(listen));
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is not a window
parentPort?.postMessage('listening');

async function listen(port: number, index: number): Promise<void> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const target = connect({
      host: '127.0.0.1',
      port: Atomics.load(targets, index),
      allowHalfOpen: true,
      noDelay: true,
    });
    // An end on one side is passed on; a failure on one side destroys both.
    const settle = (error: unknown): void => {
      if (error !== null && error !== undefined) {
        client.destroy();
        target.destroy();
      }
    };
    pipeline(client, target, settle);
    pipeline(target, client, settle);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
}
