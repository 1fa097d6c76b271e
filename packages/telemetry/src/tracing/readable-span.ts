import type { HrTime } from '@opentelemetry/api';
import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import type { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { Resource } from '@opentelemetry/resources';

import type { Span } from './span.ts';

/** A span as OpenTelemetry's exporter takes it. */
export type ReadableSpan = Parameters<OTLPTraceExporter['export']>[0][number];

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const satisfies Record<Span['kind'], SpanKind>;

/** Puts a span into OpenTelemetry's form. Done when it is exported, not while a request waits. */
export function readableSpan(span: Span, resource: Resource): ReadableSpan {
  const { traceId, spanId, parentSpanId, error } = span;
  const context = { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
  return {
    name: span.name,
    kind: kinds[span.kind],
    spanContext: () => context,
    ...(parentSpanId !== undefined && { parentSpanContext: { ...context, spanId: parentSpanId } }),
    startTime: hrTime(span.startMs),
    endTime: hrTime(span.endMs),
    duration: hrTime(span.endMs - span.startMs),
    status:
      error === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error },
    attributes: span.attributes,
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: { name: '@meridian/telemetry' },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** Seconds, and the nanoseconds over them. */
function hrTime(milliseconds: number): HrTime {
  const seconds = Math.floor(milliseconds / 1000);
  return [seconds, Math.round((milliseconds - seconds * 1000) * 1e6)];
}
