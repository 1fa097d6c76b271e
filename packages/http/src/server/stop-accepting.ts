import type { Server } from 'node:http';
import { Server as SocketServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';

import type { RequestGate } from './request-gate.ts';

/** How many turns of the event loop in a row must bring nothing new: about a millisecond. */
const quietTurns = 100;
/** A turn that took longer tells nothing: much can have come since it looked. */
const longestTurnMs = 1;
/** After this long a single quiet turn will do; after twice as long, none is waited for. */
const patienceMs = 100;

/**
 * Closes the listening socket of a server without losing a connection. The system resets those that it has set up and
 * the server has not accepted yet, so this waits for a moment when there are none: short turns of the event loop that
 * brought nothing new, the last one microseconds ago. Requests are held back meanwhile; that keeps the turns short, and
 * keeps clients that wait for an answer from opening further connections.
 */
export async function stopAccepting(server: Server, gate: RequestGate): Promise<void> {
  let arrivals = 0;
  const count = (): void => {
    arrivals += 1;
  };
  server.on('connection', count).on('request', count);
  gate.shut();
  const startedMs = performance.now();
  let elapsedMs = 0;
  let quietTurnsSoFar = 0;
  while (quietTurnsSoFar < (elapsedMs < patienceMs ? quietTurns : 1) && elapsedMs < 2 * patienceMs) {
    const before = arrivals;
    await setImmediate();
    const turnMs = performance.now() - startedMs - elapsedMs;
    elapsedMs += turnMs;
    quietTurnsSoFar = arrivals === before && turnMs < longestTurnMs ? quietTurnsSoFar + 1 : 0;
  }
  // The HTTP server's own close looks through all connections before it closes the socket: several milliseconds at
  // worst, in which more can come.
  SocketServer.prototype.close.call(server);
  server.close();
  gate.open();
  server.off('connection', count).off('request', count);
}
