import type { Server } from 'node:http';
import { Server as SocketServer } from 'node:net';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';

import type { RequestGate } from './request-gate.ts';

/**
 * The initial time without a new connection, longer than a client on a busy machine waits for its processor.
 */
const longestQuietMs = 50;
/** From then on any short turn of the event loop without a new connection is enough. */
const timeoutMs = 250;
/** A turn that took longer tells nothing: much can have come since it looked. */
const longestTurnMs = 1;
/** Between two looks the processor is left to the clients, who may share it. */
const betweenLooksMs = 2;

/**
 * Closes the listening socket of a server without losing a connection. The system resets those that it has set up and
 * the server has not accepted yet, so this waits for a moment when there are none: nothing new has come for a while, and
 * the last look was microseconds ago. Requests are held back meanwhile: clients that wait for an answer open no further
 * connections. The longer it takes, the less quiet is asked for; after twice the patience, none.
 */
export async function stopAccepting(server: Server, gate: RequestGate): Promise<void> {
  const startedMs = performance.now();
  let lastArrivalMs = startedMs;
  const noteArrival = (): void => {
    lastArrivalMs = performance.now();
  };
  server.on('connection', noteArrival).on('request', noteArrival);
  gate.shut();
  for (;;) {
    await delay(betweenLooksMs);
    const lookedMs = performance.now();
    // The timers of a turn come before its look at the sockets, which comes before this.
    await setImmediate();
    const nowMs = performance.now();
    const elapsedMs = nowMs - startedMs;
    const quietMs = longestQuietMs * Math.max(0, 1 - elapsedMs / timeoutMs);
    const isQuiet = lastArrivalMs < lookedMs && nowMs - lastArrivalMs >= quietMs;
    if ((isQuiet && nowMs - lookedMs < longestTurnMs) || elapsedMs >= 2 * timeoutMs) {
      break;
    }
  }
  // The HTTP server's own close looks through all connections before it closes the socket: several milliseconds at
  // worst, in which more can come.
  SocketServer.prototype.close.call(server);
  server.close();
  gate.open();
  server.off('connection', noteArrival).off('request', noteArrival);
}
