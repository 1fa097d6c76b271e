import type { RouterConfig } from '@meridian/router-config';

import { isSameAddress } from './listen-addresses.ts';

/** The protocols and limits of subgraphs' subscriptions. */
export type SubscriptionsConfig = NonNullable<ReturnType<typeof subscriptionsConfig>>;

/** A WebSocket to the subgraph, a response that goes on, or requests of the subgraph to this gateway. */
export type SubscriptionMode = NonNullable<ReturnType<SubscriptionsConfig['modeOf']>>;

/** The listener for calls of subgraphs. */
export type CallbackListening = NonNullable<ReturnType<typeof callbackListening>>;

/** Router has no keys for it. */
const callbackReconnection = { maxAttempts: 10, delayMs: 1000 };

/** Undefined where no subscriptions are served. */
export function subscriptionsConfig(file: RouterConfig) {
  if (!servesSubscriptions(file)) {
    return undefined;
  }
  const { mode, deduplication, queue_capacity: queueCapacity } = file.subscription;
  const { passthrough, callback } = mode;
  const { http } = file.meridian.subscription;
  return {
    /** Undefined for a subgraph whose subscriptions are not served. */
    modeOf: (name: string) => {
      const ownHttp = http.subgraphs.get(name);
      if (ownHttp !== undefined) {
        return httpMode(ownHttp);
      }
      const webSocket = passthrough?.subgraphs.get(name) ?? passthrough?.all;
      if (webSocket !== undefined) {
        return {
          mode: 'passthrough' as const,
          /** Instead of the path of the subgraph's URL. */
          path: webSocket.path,
          protocol: webSocket.protocol,
          heartbeatIntervalMs: webSocket.heartbeat_interval,
          ...reconnectionOf(webSocket),
        };
      }
      if (callback !== undefined && (callback.subgraphs.length === 0 || callback.subgraphs.includes(name))) {
        return {
          mode: 'callback' as const,
          /** The URL that a subgraph gets, before the identifier of the stream. */
          publicUrl: callback.public_url.replace(/\/$/, ''),
          heartbeatIntervalMs: callback.heartbeat_interval,
          ...callbackReconnection,
        };
      }
      return http.all && httpMode(http.all);
    },
    sharingOf: (name: string) => {
      const own = deduplication.subgraphs.get(name);
      const ignored = own?.ignored_headers ?? deduplication.all.ignored_headers;
      return {
        isEnabled: own?.enabled ?? deduplication.all.enabled,
        /** In lower case. */
        ignoredHeaders: new Set(ignored.map((header) => header.toLowerCase())),
      };
    },
    /** The most events that wait for one client. */
    queueCapacity,
  };
}

/**
 * Undefined where no subgraph calls back.
 *
 * @param secret the key of verifiers, which all workers and replicas share. Absent: this process makes one.
 */
export function callbackListening(
  { subscription: { enabled, mode }, supergraph, meridian }: RouterConfig,
  secret: string | undefined,
) {
  const { callback } = mode;
  return enabled && callback !== undefined
    ? {
        listen: callback.listen,
        /** True when it is the address of clients, as by default in Apollo Router. */
        isAtClients: isSameAddress(callback.listen, supergraph.listen),
        path: callback.path.replace(/\/$/, ''),
        secret,
        /** Where other replicas reach this listener; undefined where they need not. */
        replicaUrl: meridian.subscription.callback.replica_url?.replace(/\/$/, ''),
      }
    : undefined;
}

type Http = NonNullable<RouterConfig['meridian']['subscription']['http']['all']>;

function httpMode(keys: Http) {
  return {
    mode: keys.protocol,
    /** Instead of the path of the subgraph's URL. */
    path: keys.path,
    ...reconnectionOf(keys),
  };
}

function reconnectionOf({
  max_reconnect_attempts: maxAttempts,
  reconnect_delay: delayMs,
}: Pick<Http, 'max_reconnect_attempts' | 'reconnect_delay'>) {
  return { maxAttempts, delayMs };
}

/** True where subscriptions are enabled, and at least one mode says how they reach a subgraph. */
export function servesSubscriptions({
  subscription: { enabled, mode },
  meridian: { subscription: own },
}: Pick<RouterConfig, 'subscription' | 'meridian'>): boolean {
  const { passthrough, callback } = mode;
  const modes = [passthrough?.all, callback, own.http.all];
  const named = [passthrough?.subgraphs.size, own.http.subgraphs.size];
  return (
    enabled &&
    (modes.some((one) => one !== undefined) || named.some((size) => size !== undefined && size > 0))
  );
}
