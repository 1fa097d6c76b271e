import { mapOf } from '../../declaration/key-type.ts';
import { isMapping } from '../../declaration/mapping.ts';
import { key, section } from '../../declaration/key.ts';
import {
  attributeValue,
  boolean,
  duration,
  oneOf,
  positiveInteger,
  samplingRatio,
  socketAddress,
  text,
  url,
  urlPath,
} from '../../declaration/value-types.ts';

const common = section({
  service_name: key(text, { default: 'gateway', note: 'The name of the service in traces' }),
  resource: key(mapOf(attributeValue), {
    default: {},
    note: 'Further attributes of the service in traces, such as deployment.environment.name',
    formerly: ['telemetry.tracing.trace_config.attributes', 'telemetry.tracing.common.attributes'],
  }),
  sampler: key(samplingRatio, {
    default: 'always_on',
    note: 'The traces to record: all, none, or this share of them',
  }),
  parent_based_sampler: key(boolean, { default: true, note: 'Follows the decision of a client’s trace' }),
});

const batchProcessor = section({
  scheduled_delay: key(duration, { default: '5s', note: 'The delay before collected spans are sent' }),
  max_queue_size: key(positiveInteger, {
    default: 2048,
    note: 'The most spans that may wait; further ones are dropped',
  }),
  max_export_batch_size: key(positiveInteger, { default: 512, note: 'The most spans in one export' }),
  max_export_timeout: key(duration, {
    default: '30s',
    note: 'The longest time for one export, including retries',
    formerly: ['telemetry.tracing.otlp.timeout'],
  }),
});

const otlp = section({
  enabled: key(boolean, { default: false, note: 'Sends spans to an OTLP collector' }),
  endpoint: key(url(['http', 'https'], ['default']), {
    default: 'default',
    note: 'The collector, without /v1/traces; default is http://127.0.0.1:4318',
  }),
  protocol: key(oneOf('http', 'grpc'), {
    note: 'Must be http when traces are exported: Apollo Router’s default, gRPC, is not supported',
  }),
  http: section({
    headers: key(mapOf(text), { default: {}, note: 'Header fields for the collector' }),
  }),
  batch_processor: batchProcessor,
});

const tracing = section({
  common: key(common, { default: {}, formerly: ['telemetry.tracing.trace_config'] }),
  otlp: key(otlp, { default: {}, formerly: [['telemetry.tracing.otlp', enabledUnlessOff]] }),
  propagation: section({
    trace_context: key(boolean, {
      default: false,
      note: 'Continues a client’s traceparent, and sends one to subgraphs',
    }),
  }),
});

/** An exporter was on when its section existed. */
function enabledUnlessOff(value: unknown): unknown {
  return isMapping(value) ? { enabled: true, ...value } : value;
}

const prometheus = section({
  enabled: key(boolean, {
    default: false,
    note: 'Opens the address of listen. The admin listener has the metrics in any case',
  }),
  listen: key(socketAddress, { note: 'One more address for scrapes. Default: none' }),
  path: key(urlPath, { default: '/metrics', note: 'The path of the metrics there' }),
});

/** Traces. Metrics for Prometheus are always on, on the admin listener. */
export const exporters = section({
  tracing: key(tracing, { default: {}, formerly: ['telemetry.tracing'] }),
  metrics: key(section({ prometheus }), { default: {}, formerly: ['telemetry.metrics'] }),
});
