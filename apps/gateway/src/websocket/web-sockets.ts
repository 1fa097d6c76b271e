import type { RequestHead, ServeExchange, UpgradeListener } from '@meridian/http';
import { targetOf } from '@meridian/http';
import { problem } from '@meridian/problem-details';
import type { Logger } from '@meridian/telemetry';

import type { OperationHead } from '../http/operation-exchange.ts';
import { isOwnOrigin } from '../interceptors/cors.ts';

/** The rules of a configuration for WebSockets. */
export interface WebSocketRules {
  /** Undefined where no subscriptions are served. */
  readonly serveWebSockets: ServeWebSockets | undefined;
  readonly graphPaths: readonly string[];
  /** True for an origin whose pages may connect. */
  readonly allowsOrigin: (origin: string) => boolean;
  /** The largest message, in bytes. */
  readonly maxMessageBytes: number;
  /**
   * Checks the credentials of a connection, by the head of its operations, before the first of them.
   *
   * @throws {RequestError} UNAUTHENTICATED, BAD_REQUEST for a cookie of a foreign page, NOT_FOUND for a caller without a
   *   graph, or SERVICE_UNAVAILABLE
   */
  readonly checkCredentials: (sender: Omit<OperationHead, 'batch'>) => unknown;
  /** The header fields that may hold a token, in lower case: `connection_init` may have them too. */
  readonly credentialFields: readonly string[];
}

export interface WebSocketOptions {
  /** The current rules. */
  readonly rules: () => WebSocketRules;
  /** Serves each operation as a request. */
  readonly serve: ServeExchange;
  /** Default: the rules have it. */
  readonly checkCredentials?: WebSocketRules['checkCredentials'] | undefined;
  readonly logger: Logger;
  /** Default: 10 000. */
  readonly initTimeoutMs?: number;
}

/** The connections of a process. */
export interface ServedWebSockets {
  /** Takes one, whatever the rules say. */
  readonly upgrade: UpgradeListener;
  /** Closes all in order: their clients connect again, to another process. */
  readonly close: () => void;
}

type ServeWebSockets = (options: WebSocketOptions) => ServedWebSockets;

export type WebSockets = ReturnType<typeof createWebSockets>;

/**
 * The WebSockets of a process, each checked by the current rules. A browser connects to any site and sends its cookies
 * along, and no preflight protects a WebSocket: a page must be of an origin that CORS allows, or of the gateway's own.
 */
export function createWebSockets(options: WebSocketOptions) {
  let served: ServedWebSockets | undefined;
  /**
   * Checks by the current rules that a page may connect to this path.
   *
   * @throws {Problem}
   */
  const check = (request: RequestHead): ServeWebSockets => checkUpgrade(request, options.rules());
  const upgrade: UpgradeListener = (request, socket, head) => {
    const serveWebSockets = check(request);
    served ??= serveWebSockets(options);
    served.upgrade(request, socket, head);
  };
  return { check, upgrade, close: () => served?.close() };
}

/** @throws {Problem} */
function checkUpgrade(
  request: RequestHead,
  { serveWebSockets, graphPaths, allowsOrigin }: WebSocketRules,
): ServeWebSockets {
  if (serveWebSockets === undefined) {
    throw problem(
      'malformed-request',
      'The gateway supports neither WebSockets nor subscriptions: none are configured. Send operations by GET or POST.',
    );
  }
  const { origin, host } = request.headers;
  if (!graphPaths.includes(targetOf(request).path)) {
    throw problem(
      'route-not-found',
      `The graph endpoint is at ${graphPaths.join(' and ')}, not at this path.`,
    );
  }
  if (origin !== undefined && !isOwnOrigin(origin, host) && !allowsOrigin(origin)) {
    throw problem(
      'malformed-request',
      'Pages of this origin may not connect: router.yaml lists origins under cors.',
    );
  }
  return serveWebSockets;
}
