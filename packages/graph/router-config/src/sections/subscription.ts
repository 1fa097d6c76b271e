import type { KeyType } from '../declaration/key-type.ts';
import { checked, listOf, mapOf } from '../declaration/key-type.ts';
import { key, optionalSection, section } from '../declaration/key.ts';
import {
  boolean,
  duration,
  headerName,
  oneOf,
  positiveInteger,
  socketAddress,
  text,
  url,
  urlPath,
  wholeNumber,
} from '../declaration/value-types.ts';

/** The default of `enabled`, in milliseconds. */
const usualHeartbeatMs = 5000;

/** Milliseconds; undefined for `disabled`. */
const heartbeatInterval: KeyType<number | undefined> = {
  read: (value, at) =>
    value === 'disabled' ? undefined : value === 'enabled' ? usualHeartbeatMs : duration.read(value, at),
  schema: { anyOf: [{ enum: ['enabled', 'disabled'] }, duration.schema] },
};

/** The keys of each protocol over which the gateway connects. */
const reconnection = {
  max_reconnect_attempts: key(wholeNumber({ minimum: 0 }), {
    default: 10,
    note: 'The most attempts to open a lost stream again, before its clients get an error. With the default a stream survives three minutes without the subgraph; Apollo Router’s default is 0, which ends streams at each deploy of a subgraph',
  }),
  reconnect_delay: key(duration, {
    default: '1s',
    note: 'The time before the first attempt. It doubles for each further one, up to 30s, and varies by half, so that replicas do not come at once',
  }),
};

const webSocket = section({
  path: key(urlPath, { note: 'The path of the WebSocket. Default: the path of the subgraph’s URL' }),
  protocol: key(oneOf('graphql_ws', 'graphql_transport_ws'), {
    default: 'graphql_ws',
    note: 'By Apollo Router’s names. graphql_ws: the subprotocol graphql-transport-ws, of the library graphql-ws. graphql_transport_ws: the older subprotocol graphql-ws, of subscriptions-transport-ws',
  }),
  heartbeat_interval: key(heartbeatInterval, {
    default: 'disabled',
    note: 'The time between pings on the WebSocket. One without any message for two of them counts as lost. enabled: 5s',
  }),
  ...reconnection,
});

const ofAuthority: ReadonlySet<string> = new Set(['authorization', 'cookie']);

/** Names of header fields by which requests may differ and yet be equal: never the ones of a caller's rights. */
export function namesWithoutAuthority(danger: string): KeyType<readonly string[]> {
  return checked(listOf(headerName), (names) =>
    names.some((name) => ofAuthority.has(name.toLowerCase()))
      ? `must not name Authorization or Cookie: ${danger}`
      : undefined,
  );
}

const ignoredHeaders = namesWithoutAuthority('callers with different rights would share one stream');

/** Subscriptions. Apollo Router 2.16's names; the keys about reconnecting are from Router 2.18 and 3.0. */
export const subscription = section({
  enabled: key(boolean, {
    default: true,
    note: 'Serves subscriptions of the subgraphs that a mode, or meridian.subscription.http, names',
  }),
  mode: section({
    passthrough: optionalSection({
      all: key(webSocket, { note: 'A WebSocket to every subgraph' }),
      subgraphs: key(mapOf(webSocket), {
        default: {},
        note: 'A WebSocket to this subgraph, with settings of its own',
      }),
    }),
    callback: optionalSection({
      public_url: key(url(['https', 'http']), {
        required: true,
        note: 'The URL under which subgraphs reach the callbacks of this replica, such as http://${env.POD_IP}:4041/callback. One URL for all replicas, as of a load balancer, needs meridian.subscription.callback.replica_url',
      }),
      listen: key(socketAddress, {
        default: '127.0.0.1:4041',
        note: 'The address for callbacks. Where it is the address of `supergraph.listen`, Apollo Router’s default, they are served there',
      }),
      path: key(urlPath, { default: '/callback', note: 'The path of callbacks' }),
      heartbeat_interval: key(heartbeatInterval, {
        default: 'enabled',
        note: 'The time between the subgraph’s checks. A stream without one for two of them counts as lost',
      }),
      subgraphs: key(listOf(text), {
        default: [],
        note: 'The subgraphs that call back. Default: all to which no WebSocket is configured',
      }),
    }),
  }),
  deduplication: section({
    all: section({
      enabled: key(boolean, {
        default: true,
        note: 'Opens one stream to a subgraph for equal subscriptions. Equal means the same operation, variables and header fields, as a subgraph gets them',
        formerly: ['subscription.deduplication.enabled', 'subscription.enable_deduplication'],
      }),
      ignored_headers: key(ignoredHeaders, {
        default: [],
        note: 'Header fields on which the events do not depend: subscriptions may differ in them',
        formerly: ['subscription.deduplication.ignored_headers'],
      }),
    }),
    subgraphs: mapOf(
      section({
        enabled: key(boolean, { note: 'The same for this subgraph' }),
        ignored_headers: key(ignoredHeaders, { note: 'The same for this subgraph' }),
      }),
    ),
  }),
  max_opened_subscriptions: key(positiveInteger, {
    note: 'The most subscriptions of clients in one process; further ones get SUBSCRIPTION_MAX_LIMIT. Default: no limit',
  }),
  max_lifetime: key(duration, {
    note: 'The longest time that a subscription of a client stays open; it then ends with SUBSCRIPTION_MAX_LIFETIME_EXCEEDED. Default: no limit. Apollo Router ends all subscriptions that share a stream with the first of them; here each has its own time',
  }),
  queue_capacity: key(positiveInteger, {
    default: 128,
    note: 'The most events that wait for one client. For a client that reads too slowly, the oldest are dropped and counted',
  }),
});

const overHttp = section({
  protocol: key(oneOf('sse', 'multipart'), {
    required: true,
    note: 'sse: server-sent events, in the distinct mode of graphql-sse, as GraphQL Yoga serves them. multipart: subscriptionSpec=1.0, as Apollo Router serves it',
  }),
  path: key(urlPath, { note: 'The path of the subscriptions. Default: the path of the subgraph’s URL' }),
  ...reconnection,
});

/** Other replicas see it, and it gets a path appended. */
const replicaUrl = checked(url(['https', 'http']), (value) => {
  const { username, password, search, hash } = new URL(value);
  return username + password + search + hash === '' ? undefined : 'takes no credentials, query or fragment';
});

/** Keys that Apollo Router does not have. */
export const meridianSubscription = section({
  max_per_tenant: key(positiveInteger, {
    note: 'The most subscriptions of one tenant in one process. Default: no limit of its own',
  }),
  callback: section({
    replica_url: key(replicaUrl, {
      note: 'The URL under which other replicas reach the callbacks of this one, such as http://${env.POD_IP}:4041/callback. A replica that gets the call for a stream of another one passes it on. Needs the same CALLBACK_SECRET for all. Default: calls come to the right replica by themselves',
    }),
  }),
  http: section({
    all: key(overHttp, { note: 'Subscriptions over HTTP, to every subgraph without another mode' }),
    subgraphs: key(mapOf(overHttp), {
      default: {},
      note: 'Subscriptions over HTTP, to this subgraph, before any other mode',
    }),
  }),
});
