import * as values from '@meridian/settings/values';

import type { KeyType, ValueOf } from '../../declaration/key-type.ts';
import { checked, listOf, mapOf, scalar } from '../../declaration/key-type.ts';
import { isMapping } from '../../declaration/mapping.ts';
import type { Key } from '../../declaration/key.ts';
import { flag, key, section } from '../../declaration/key.ts';
import {
  amount,
  attributeValue,
  boolean,
  duration,
  headerName,
  listenAddress,
  oneOf,
  positiveInteger,
  samplingRatio,
  text,
  urlPath,
} from '../../declaration/value-types.ts';

const httpUrl = values.url(['http', 'https']);

/** `default`, a URL, or a host and a port as in Apollo Router. Read as `default` or as a URL. */
const collectorUrl = scalar({
  takes: 'default, a URL that starts with http:// or https://, or a host and a port such as tempo:4317',
  read: (value) => {
    if (typeof value !== 'string' || value === 'default') {
      return value === 'default' ? value : undefined;
    }
    return httpUrl.read(value.includes('://') ? value : `http://${value}`);
  },
  schema: { type: 'string', examples: ['http://host.example:4317'] },
});

const serviceName = key(text, { default: 'gateway', note: 'The name of the service' });
const serviceNamespace = key(text, { note: 'The group that the service is part of. Default: none' });

const common = section({
  service_name: serviceName,
  service_namespace: serviceNamespace,
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
  max_attributes_per_span: key(positiveInteger, {
    default: 128,
    note: 'The most attributes of a span; further ones are dropped, and counted in the span',
  }),
});

const exporterSampler = key(samplingRatio, {
  note: 'The recorded traces that this exporter sends: all, none, or this share of all traces. A client’s recorded trace is sent in any case if parent_based_sampler is true. Default: all',
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

/** The keys for the connection to a collector. */
const otlpConnection = {
  protocol: key(oneOf('grpc', 'http'), {
    default: 'grpc',
    note: 'OTLP over gRPC, or over HTTP with protobuf',
  }),
  grpc: section({
    domain_name: key(text, {
      note: 'The name in the collector’s certificate. Default: the host of the endpoint, which is sent as the TLS server name in any case',
    }),
    ca: key(text, {
      note: 'The certificates of the authorities that may sign the collector’s certificate, in PEM: ${file.…}. Default: those that Node trusts',
    }),
    cert: key(text, { note: 'The gateway’s own certificate, in PEM; needs key. Default: none' }),
    key: key(text, { note: 'The private key of cert, in PEM; needs cert. Default: none' }),
    metadata: key(mapOf(text), { default: {}, note: 'Metadata for the collector, such as a key' }),
  }),
  http: section({
    headers: key(mapOf(text), { default: {}, note: 'Header fields for the collector' }),
  }),
};

const otlp = section({
  enabled: flag('Sends spans to an OTLP collector'),
  endpoint: key(collectorUrl, {
    default: 'default',
    note: 'The collector; without a scheme, http://. By HTTP, /v1/traces is added to a URL without a path. default is http://127.0.0.1:4317, or port 4318 by HTTP',
  }),
  ...otlpConnection,
  batch_processor: batchProcessor,
  sampler: exporterSampler,
});

const zipkin = section({
  enabled: flag('Sends spans to Zipkin, as JSON of version 2. Header fields of B3 need propagation.zipkin'),
  endpoint: key(collectorUrl, {
    default: 'default',
    note: 'Zipkin; without a scheme, http://. /api/v2/spans is added to a URL without a path. default is http://127.0.0.1:9411',
  }),
  batch_processor: batchProcessor,
  sampler: exporterSampler,
});

const traceIdFormat = key(oneOf('hexadecimal', 'open_telemetry', 'decimal', 'datadog', 'uuid'), {
  default: 'hexadecimal',
  note: 'The notation of the trace id in it',
});

function propagated(fields: string, formerly: readonly string[] = []): Key<boolean> {
  return key(boolean, { default: false, note: `Continues and sends ${fields}`, formerly });
}

const tracing = section({
  common: key(common, { default: {}, formerly: ['telemetry.tracing.trace_config'] }),
  otlp: key(otlp, { default: {}, formerly: [['telemetry.tracing.otlp', enabledUnlessOff]] }),
  zipkin: key(zipkin, { default: {}, formerly: [['telemetry.tracing.zipkin', enabledUnlessOff]] }),
  propagation: section({
    trace_context: flag('Continues a client’s traceparent, and sends one to subgraphs'),
    baggage: propagated('the W3C field baggage'),
    zipkin: propagated('B3, in one field or several; sends several'),
    jaeger: propagated('uber-trace-id and uberctx-…'),
    aws_xray: propagated('X-Amzn-Trace-Id', ['awsxray']),
    request: section({
      header_name: key(headerName, {
        note: 'A header field with a trace id, which counts more than the other fields, and is sent to subgraphs; the sampler decides. Equal subrequests are then not deduplicated. Default: none',
      }),
      format: traceIdFormat,
    }),
  }),
  experimental_response_trace_id: key(
    section({
      enabled: flag('Sends the trace id in header_name too; apollo-trace-id is always sent'),
      header_name: key(headerName, { default: 'apollo-trace-id', note: 'The header field' }),
      format: traceIdFormat,
    }),
    { default: {}, since: { '3.0': 'response_trace_id' } },
  ),
});

/** An exporter was on when its section existed. */
function enabledUnlessOff(value: unknown): unknown {
  return isMapping(value) ? { enabled: true, ...value } : value;
}

const bounds = checked(listOf(amount), (numbers) =>
  numbers.length > 0 && numbers.every((bound, index) => index === 0 || bound > (numbers[index - 1] ?? 0))
    ? undefined
    : 'must have numbers that ascend',
);

const aggregationOfHistogram = section({
  histogram: section({
    buckets: key(bounds, { required: true, note: 'The upper bounds of the buckets, ascending' }),
  }),
});
const drop = oneOf('drop');

/** `drop`, or the buckets of a histogram. */
const aggregation: KeyType<'drop' | ValueOf<typeof aggregationOfHistogram>> = {
  read: (value, at) => (typeof value === 'string' ? drop : aggregationOfHistogram).read(value, at),
  schema: { anyOf: [drop.schema, aggregationOfHistogram.schema] },
};

const view = section({
  name: key(text, {
    required: true,
    note: 'The metric, by its name in OTLP or in Prometheus: http.server.request.duration, http_server_request_duration_seconds. * means any characters, ? for one',
  }),
  rename: key(text, { note: 'Its new name, in OpenTelemetry’s notation. Default: its own' }),
  description: key(text, { note: 'Its new description. Default: its own' }),
  unit: key(text, { note: 'Its new unit in OTLP; values stay. Default: its own' }),
  aggregation: key(aggregation, {
    note: 'drop hides the metric; histogram.buckets are the upper bounds of its buckets. Default: its own',
  }),
  allowed_attribute_keys: key(listOf(text), {
    note: 'The labels that it keeps; series that differ in others are added up. Default: all',
  }),
  cardinality_limit: key(positiveInteger, {
    note: 'The most series of the metric. Default: metrics.common.cardinality_limit',
  }),
});

/** Router 1 has attributes of requests there too, by stage: a map each. */
function holdsMaps(value: unknown): boolean {
  return isMapping(value) && Object.values(value).some(isMapping);
}

const commonOfMetrics = section({
  service_name: serviceName,
  service_namespace: serviceNamespace,
  resource: key(mapOf(attributeValue), {
    default: {},
    note: 'Further attributes of the service in metrics that are sent by OTLP',
    formerly: [
      'resources',
      ['telemetry.metrics.common.attributes', (value) => (holdsMaps(value) ? undefined : value)],
    ],
  }),
  buckets: key(bounds, {
    note: 'The upper bounds of all histograms of times, in seconds. Default: each has its own',
  }),
  views: key(listOf(view), {
    default: [],
    note: 'Changes to metrics, at /metrics and by OTLP. The first view with a metric’s name holds',
  }),
  cardinality_limit: key(positiveInteger, {
    note: 'The most series of a metric; further ones are added up in one with the label otel_metric_overflow. Default: as many as there are, which the gateway bounds by itself',
  }),
});

const otlpOfMetrics = section({
  enabled: flag('Sends the metrics to an OTLP collector'),
  endpoint: key(collectorUrl, {
    default: 'default',
    note: 'The collector, as in tracing.otlp; by HTTP, /v1/metrics is added to a URL without a path',
  }),
  ...otlpConnection,
  batch_processor: section({
    scheduled_delay: key(duration, { default: '5s', note: 'The time from one export to the next' }),
    max_export_timeout: key(duration, {
      default: '30s',
      note: 'The longest time for one export, including retries',
      formerly: ['telemetry.metrics.otlp.timeout'],
    }),
  }),
  temporality: key(oneOf('cumulative', 'delta'), {
    default: 'cumulative',
    note: 'Counts since the start, or since the last export, as Datadog’s agent needs them',
  }),
});

const prometheus = section({
  enabled: flag('Opens the address of listen. The admin listener has the metrics in any case'),
  listen: key(listenAddress, {
    note: 'One more address for scrapes, or the path of a Unix socket. Default: none',
  }),
  path: key(urlPath, { default: '/metrics', note: 'The path of the metrics there' }),
});

const formats = oneOf('json', 'text');
const noMembers = section({});
const formatWithMembers = section({
  json: key(noMembers, { note: 'Lines of JSON' }),
  text: key(noMembers, { note: 'Lines of text' }),
});

/** `json`, `text`, or one of them with members, which say what Router writes on a line. */
const logFormat: KeyType<'json' | 'text'> = {
  read(value, at) {
    const entries = isMapping(value) ? Object.entries(value) : [];
    const [name, members] = entries[0] ?? [];
    return formats.read(entries.length === 1 && isMapping(members) ? name : value, at);
  },
  schema: { anyOf: [formats.schema, formatWithMembers.schema] },
};

const logging = section({
  stdout: section({
    format: key(logFormat, {
      default: 'json',
      note: 'The form of lines, where LOG_FORMAT is not set',
      formerly: [['telemetry.experimental_logging.format', (name) => (name === 'pretty' ? 'text' : name)]],
    }),
    tty_format: key(logFormat, {
      note: 'The form of lines on a terminal, where LOG_FORMAT is not set. Default: format',
    }),
  }),
});

/** Traces. Metrics for Prometheus are always on, on the admin listener. */
export const exporters = section({
  logging: key(logging, { default: {}, formerly: ['telemetry.logging'] }),
  tracing: key(tracing, { default: {}, formerly: ['telemetry.tracing'] }),
  metrics: key(
    section({
      common: commonOfMetrics,
      otlp: key(otlpOfMetrics, { default: {}, formerly: [['telemetry.metrics.otlp', enabledUnlessOff]] }),
      prometheus,
    }),
    { default: {}, formerly: ['telemetry.metrics'] },
  ),
});
