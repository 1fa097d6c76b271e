import type { ValueOf } from '../declaration/key-type.ts';
import { listOf, mapOf } from '../declaration/key-type.ts';
import { flag, key, section } from '../declaration/key.ts';
import { boolean, duration, oneOf, positiveInteger, text, url } from '../declaration/value-types.ts';
import { apq } from './apq.ts';
import { authentication } from './authentication.ts';
import { authorization } from './authorization.ts';
import { circuitBreaker } from './circuit-breaker.ts';
import { coprocessor } from './coprocessor.ts';
import { cors } from './cors.ts';
import { demandControl } from './demand-control.ts';
import { headers } from './headers.ts';
import { fileUploads } from './file-uploads.ts';
import { healthCheck } from './health-check.ts';
import { includeSubgraphErrors } from './include-subgraph-errors.ts';
import { limits } from './limits.ts';
import { meridian } from './meridian.ts';
import { persistedQueries } from './persisted-queries.ts';
import { responseCache } from './response-cache.ts';
import { subscription } from './subscription.ts';
import { supergraph } from './supergraph.ts';
import { tls } from './tls.ts';
import { trafficShaping } from './traffic-shaping.ts';
import { events } from './telemetry/custom/events.ts';
import { instruments } from './telemetry/custom/instruments.ts';
import { spans } from './telemetry/custom/spans.ts';
import { exporters } from './telemetry/exporters.ts';

/** The protection against requests that a foreign web page makes a browser send. */
const csrf = section({
  unsafe_disabled: flag('Disables the protection against cross-site requests'),
  required_headers: key(listOf(text), {
    default: ['x-apollo-operation-name', 'apollo-require-preflight'],
    note: 'A request with any of these header fields passes the protection, and so does one with a `Content-Type` of JSON',
  }),
});

/** The listener for clients. */
const server = section({
  http: section({
    header_read_timeout: key(duration, {
      default: '10s',
      note: 'The longest time until the head of a request has arrived',
    }),
    tls_handshake_timeout: key(duration, {
      default: '10s',
      note: 'The longest time for the TLS handshake of a new connection',
    }),
  }),
});

/** Several operations of a client in one request. */
const batching = section({
  enabled: flag('Takes an array of operations, and answers with an array'),
  mode: key(oneOf('batch_http_link'), {
    default: 'batch_http_link',
    note: 'The format: the one of Apollo Client’s BatchHttpLink',
  }),
  maximum_size: key(positiveInteger, {
    default: 100,
    note: 'The most operations in an array',
  }),
});

/** The exporters of telemetry, and its content. */
const telemetry = section({ exporters, instrumentation: section({ spans, instruments, events }) });

/** Every key of the file. Names, places and defaults are Apollo Router 2.16's, except under `meridian`. */
export const routerFile = section({
  apq: key(apq, { default: {}, formerly: ['supergraph.apq'] }),
  authentication: key(authentication, {}),
  authorization,
  circuit_breaker: key(circuitBreaker, {
    note: 'Leaves subgraphs alone for a while that fail. The section alone, as `{}`, is enough. A key of Apollo Router 3',
  }),
  batching: key(batching, { default: {}, formerly: ['experimental_batching'], paid: true }),
  coprocessor: key(coprocessor, { paid: true }),
  cors: key(cors, { default: {}, formerly: ['server.cors'] }),
  csrf,
  demand_control: key(demandControl, {
    default: {},
    formerly: ['preview_demand_control'],
    paid: true,
  }),
  forbid_mutations: flag('Rejects every mutation'),
  headers,
  health_check: key(healthCheck, { default: {}, formerly: ['health-check'] }),
  include_subgraph_errors: includeSubgraphErrors,
  limits: key(limits, {
    default: {},
    formerly: ['preview_operation_limits'],
    since: { '2.15': 'limits.router' },
  }),
  override_subgraph_url: key(mapOf(url(['https', 'http', 'unix'])), {
    default: {},
    note: 'The URLs of subgraphs, in place of those in the supergraph. unix:///path/to.sock?path=/graphql is HTTP over a Unix domain socket',
  }),
  persisted_queries: key(persistedQueries, {
    default: {},
    formerly: ['preview_persisted_queries'],
    paid: true,
  }),
  preview_file_uploads: fileUploads,
  response_cache: key(responseCache, {
    default: {},
    formerly: ['preview_response_cache', 'preview_entity_cache'],
    paid: true,
  }),
  sandbox: section({
    enabled: key(boolean, {
      default: false,
      note: 'In development, an explorer at /explorer: GraphiQL in place of Apollo’s Sandbox',
      noEffect: 'production',
    }),
  }),
  server,
  subscription: key(subscription, { default: {}, paid: true }),
  supergraph,
  telemetry,
  tls,
  traffic_shaping: trafficShaping,
  meridian,
});

/** The content of the file, typed: durations in milliseconds, sizes in bytes, absent keys with their defaults. */
export type RouterConfig = ValueOf<typeof routerFile>;
