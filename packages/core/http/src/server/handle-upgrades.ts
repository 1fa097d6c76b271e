import { randomUUID } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

import { Problem, problem } from '@meridian/problem-details';

import type { RenderProblem } from '../exchange/render-problem.ts';
import { respondOnSocket } from './framing-faults.ts';
import { messageFault } from './message-rules.ts';
import type { HeadLimits } from './message-rules.ts';

/**
 * Takes a connection that its client wants to be a WebSocket (RFC 6455 §4.2). From here on the connection is the
 * listener's: it has no deadline, and counts as busy.
 *
 * @param head the bytes after the request that have arrived already
 * @throws {Problem} to refuse it: the response is the problem, and the connection is closed
 */
export type UpgradeListener = (request: IncomingMessage, socket: Socket, head: Buffer) => void;

export interface UpgradeOptions {
  readonly upgrade: UpgradeListener;
  readonly renderProblem: RenderProblem;
  readonly onFault: (fault: Problem, requestId: string) => void;
  readonly limits: HeadLimits;
}

/** True for a request that asks for a WebSocket. Any other upgrade is ignored (RFC 9110 §7.8). */
export function isWebSocketRequest({ method, headers: { upgrade = '' } }: IncomingMessage): boolean {
  return method === 'GET' && upgrade.toLowerCase() === 'websocket';
}

/**
 * Passes requests for WebSockets to a listener.
 *
 * @returns a function that ends all connections that the listener has
 */
export function handleUpgrades(
  server: Server,
  { upgrade, renderProblem, onFault, limits }: UpgradeOptions,
): () => void {
  const sockets = new Set<Socket>();
  server.on('upgrade', (request, socket: Socket, head: Buffer) => {
    // Node has released the socket: from here on only its owner handles its errors.
    socket.on('error', () => socket.destroy());
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    try {
      const fault = isWebSocketRequest(request)
        ? messageFault(request, limits)
        : problem('malformed-request', 'The only upgrade here is a WebSocket.');
      if (fault !== undefined) {
        throw fault;
      }
      upgrade(request, socket, head);
    } catch (error) {
      const fault =
        error instanceof Problem
          ? error
          : problem('internal', 'The service failed unexpectedly.', { cause: error });
      const requestId = randomUUID();
      onFault(fault, requestId);
      socket.resume();
      respondOnSocket(socket, renderProblem(fault), requestId);
    }
  });
  return () => {
    for (const socket of sockets) {
      socket.destroy();
    }
  };
}
