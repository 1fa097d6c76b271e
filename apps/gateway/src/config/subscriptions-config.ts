import type { RouterConfig } from '@meridian/router-config';

import type { Address } from './listen-addresses.ts';
import { servesSubscriptions } from './serves-subscriptions.ts';

/** The protocols and limits of subgraphs' subscriptions. */
export interface SubscriptionsConfig {
  /** Undefined for a subgraph whose subscriptions are not served. */
  readonly modeOf: (subgraph: string) => SubscriptionMode | undefined;
  readonly sharingOf: (subgraph: string) => SharingSettings;
  /** The most events that wait for one client. */
  readonly queueCapacity: number;
}

export type SubscriptionMode = PassthroughMode | HttpMode | CallbackMode;

/** A WebSocket to the subgraph. */
export interface PassthroughMode extends Reconnection {
  readonly mode: 'passthrough';
  /** Instead of the path of the subgraph's URL. */
  readonly path: string | undefined;
  readonly protocol: 'graphql_ws' | 'graphql_transport_ws';
  readonly heartbeatIntervalMs: number | undefined;
}

/** A response that goes on. */
export interface HttpMode extends Reconnection {
  readonly mode: 'sse' | 'multipart';
  /** Instead of the path of the subgraph's URL. */
  readonly path: string | undefined;
}

/** Requests of the subgraph to this gateway. */
export interface CallbackMode extends Reconnection {
  readonly mode: 'callback';
  /** The URL that a subgraph gets, before the identifier of the stream. */
  readonly publicUrl: string;
  readonly heartbeatIntervalMs: number | undefined;
}

interface Reconnection {
  readonly maxAttempts: number;
  readonly delayMs: number;
}

export interface SharingSettings {
  readonly isEnabled: boolean;
  /** In lower case. */
  readonly ignoredHeaders: ReadonlySet<string>;
}

/** The listener for calls of subgraphs. */
export interface CallbackListening {
  readonly listen: Address;
  readonly path: string;
  /** The key of verifiers, which all workers and replicas share. Absent: this process makes one. */
  readonly secret: string | undefined;
  /** Where other replicas reach this listener; undefined where they need not. */
  readonly replicaUrl: string | undefined;
}

/** Router has no keys for it. */
const callbackReconnection: Reconnection = { maxAttempts: 10, delayMs: 1000 };

/** Undefined where no subscriptions are served. */
export function subscriptionsConfig(file: RouterConfig): SubscriptionsConfig | undefined {
  if (!servesSubscriptions(file)) {
    return undefined;
  }
  const { mode, deduplication, queue_capacity: queueCapacity } = file.subscription;
  const { passthrough, callback } = mode;
  const { http } = file.meridian.subscription;
  return {
    modeOf(name) {
      const ownHttp = http.subgraphs.get(name);
      if (ownHttp !== undefined) {
        return httpMode(ownHttp);
      }
      const webSocket = passthrough?.subgraphs.get(name) ?? passthrough?.all;
      if (webSocket !== undefined) {
        return passthroughMode(webSocket);
      }
      if (callback !== undefined && (callback.subgraphs.length === 0 || callback.subgraphs.includes(name))) {
        return {
          mode: 'callback',
          publicUrl: callback.public_url.replace(/\/$/, ''),
          heartbeatIntervalMs: callback.heartbeat_interval,
          ...callbackReconnection,
        };
      }
      return http.all && httpMode(http.all);
    },
    sharingOf(name) {
      const own = deduplication.subgraphs.get(name);
      const ignored = own?.ignored_headers ?? deduplication.all.ignored_headers;
      return {
        isEnabled: own?.enabled ?? deduplication.all.enabled,
        ignoredHeaders: new Set(ignored.map((header) => header.toLowerCase())),
      };
    },
    queueCapacity,
  };
}

/** Undefined where no subgraph calls back. */
export function callbackListening(
  { subscription: { enabled, mode }, meridian }: RouterConfig,
  secret: string | undefined,
): CallbackListening | undefined {
  const { callback } = mode;
  return enabled && callback !== undefined
    ? {
        listen: callback.listen,
        path: callback.path.replace(/\/$/, ''),
        secret,
        replicaUrl: meridian.subscription.callback.replica_url?.replace(/\/$/, ''),
      }
    : undefined;
}

type Passthrough = NonNullable<NonNullable<RouterConfig['subscription']['mode']['passthrough']>['all']>;

function passthroughMode(keys: Passthrough): PassthroughMode {
  return {
    mode: 'passthrough',
    path: keys.path,
    protocol: keys.protocol,
    heartbeatIntervalMs: keys.heartbeat_interval,
    maxAttempts: keys.max_reconnect_attempts,
    delayMs: keys.reconnect_delay,
  };
}

type Http = NonNullable<RouterConfig['meridian']['subscription']['http']['all']>;

function httpMode(keys: Http): HttpMode {
  return {
    mode: keys.protocol,
    path: keys.path,
    maxAttempts: keys.max_reconnect_attempts,
    delayMs: keys.reconnect_delay,
  };
}
