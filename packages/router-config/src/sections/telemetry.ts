import { attributeValue } from '../declaration/attribute-value.ts';
import { boolean } from '../declaration/boolean.ts';
import { duration } from '../declaration/duration.ts';
import { defaulting, optional } from '../declaration/key.ts';
import { mapOf } from '../declaration/map-of.ts';
import { oneOf } from '../declaration/one-of.ts';
import { samplingRatio } from '../declaration/sampling-ratio.ts';
import { section } from '../declaration/section.ts';
import { socketAddress } from '../declaration/socket-address.ts';
import { text } from '../declaration/text.ts';
import { url } from '../declaration/url.ts';
import { wholeNumber } from '../declaration/whole-number.ts';

const common = section({
  /** `service.name` of the spans. */
  service_name: defaulting(text(), 'gateway'),
  /** More attributes of all spans, such as `deployment.environment.name`. */
  resource: defaulting(mapOf(attributeValue), {}),
  /** The share of requests that is recorded. */
  sampler: defaulting(samplingRatio, 'always_on'),
  /** True if a continued trace is recorded exactly when its caller records it. */
  parent_based_sampler: defaulting(boolean, true),
});

const batchProcessor = section({
  /** The longest time that a span waits to be sent. */
  scheduled_delay: defaulting(duration, '5s'),
  /** The maximum of waiting spans; more are dropped, and counted. */
  max_queue_size: defaulting(wholeNumber({ minimum: 1 }), 2048),
  max_export_batch_size: defaulting(wholeNumber({ minimum: 1 }), 512),
  /** The time for sending one batch, including retries. */
  max_export_timeout: defaulting(duration, '30s'),
});

const otlp = section({
  enabled: defaulting(boolean, false),
  /** The collector's URL, without `/v1/traces`; `default` is http://127.0.0.1:4318. */
  endpoint: defaulting(url(['http', 'https'], ['default']), 'default'),
  /** Must be `http` if the exporter is on: Apollo Router's default is gRPC, which is not supported here. */
  protocol: optional(oneOf('http', 'grpc')),
  http: defaulting(section({ headers: defaulting(mapOf(text()), {}) }), {}),
  batch_processor: defaulting(batchProcessor, {}),
});

const tracing = section({
  common: defaulting(common, {}),
  otlp: defaulting(otlp, {}),
  /** `trace_context`: continues a client's `traceparent`, and sends one to the subgraphs. */
  propagation: defaulting(section({ trace_context: defaulting(boolean, false) }), {}),
});

const prometheus = section({
  enabled: defaulting(boolean, false),
  /** One more address for scrapes. Without it, only the admin listener has the metrics. */
  listen: optional(socketAddress),
  /** The path at that address. */
  path: defaulting(text({ pattern: /^\/[^*{}?#]*$/, takes: 'a path that starts with /' }), '/metrics'),
});

/** Traces. Metrics for Prometheus are always on, on the admin listener. */
export const telemetry = section({
  exporters: defaulting(
    section({
      tracing: defaulting(tracing, {}),
      metrics: defaulting(section({ prometheus: defaulting(prometheus, {}) }), {}),
    }),
    {},
  ),
  /** Spec: Limits. `deprecated` gives the root span and the attributes that Apollo Router had before 2.0. */
  instrumentation: defaulting(
    section({
      spans: defaulting(
        section({ mode: defaulting(oneOf('spec_compliant', 'deprecated'), 'spec_compliant') }),
        {},
      ),
    }),
    {},
  ),
});
