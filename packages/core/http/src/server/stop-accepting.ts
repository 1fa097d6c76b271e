import type { Server } from 'node:http';
import { Server as SocketServer } from 'node:net';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';

import type { RequestGate } from './request-gate.ts';

/**
 * The initial time without a new connection, longer than a client on a busy machine waits for its processor.
 */
const maxQuietMs = 50;
/** After this time, any short turn of the event loop without a new connection is enough. */
const timeoutMs = 250;
/** A longer turn proves nothing: connections may have arrived since it checked. */
const maxTurnMs = 1;
/** Leaves the processor to the clients between two checks; they may share it. */
const betweenLooksMs = 2;

/**
 * Closes the listening socket of a server without losing a connection. Closing resets connections that the system has
 * established and the server has not accepted yet. So this waits for a moment without any: nothing new has come for a
 * while, and the last check was microseconds ago. Requests are held back meanwhile, because clients that wait for a
 * response open no further connections. The required quiet time shrinks as time passes, and is zero in the end.
 */
export async function stopAccepting(server: Server, gate: RequestGate): Promise<void> {
  const startedMs = performance.now();
  let lastArrivalMs = startedMs;
  const noteArrival = (): void => {
    lastArrivalMs = performance.now();
  };
  server.on('connection', noteArrival);
  gate.shut(noteArrival);
  for (;;) {
    await delay(betweenLooksMs);
    const lookedMs = performance.now();
    // In a turn of the event loop, timers run first, then the sockets are polled, then this runs.
    await setImmediate();
    const nowMs = performance.now();
    const elapsedMs = nowMs - startedMs;
    const quietMs = maxQuietMs * Math.max(0, 1 - elapsedMs / timeoutMs);
    const isQuiet = lastArrivalMs < lookedMs && nowMs - lastArrivalMs >= quietMs;
    if ((isQuiet && nowMs - lookedMs < maxTurnMs) || elapsedMs >= 2 * timeoutMs) {
      break;
    }
  }
  // The HTTP server's own `close` goes through all connections before it closes the socket: several milliseconds at
  // worst, in which more can arrive.
  SocketServer.prototype.close.call(server);
  server.close();
  gate.open();
  server.off('connection', noteArrival);
}
