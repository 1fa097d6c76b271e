import type { SpanContext } from '@opentelemetry/api';
import { SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { ExportResultCode, millisToHrTime } from '@opentelemetry/core';
import { ZipkinExporter } from '@opentelemetry/exporter-zipkin';
import type { Resource } from '@opentelemetry/resources';
import { resourceFromAttributes } from '@opentelemetry/resources';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';

import type { SendBatch } from '../otlp/otlp-sender.ts';
import type { SpanExporterOptions, ZipkinDestination } from './span-exporter-options.ts';
import type { AttributeValue, Span } from './span.ts';

const kinds = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT };

/** The most exports that may be under way at a time. */
const maxUnanswered = 4;

/** Creates a sender of OpenTelemetry's exporter for Zipkin. */
export function createZipkinSender(
  { url }: ZipkinDestination,
  { resource: attributes, maxAttributes, exportTimeoutMs }: SpanExporterOptions,
): SendBatch<readonly Span[]> {
  const exporter = new ZipkinExporter({ url });
  const resource = resourceFromAttributes(
    Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, textOf(value)])),
  );
  let unanswered = 0;
  return async (batch) => {
    if (unanswered >= maxUnanswered) {
      return new Error('the collector does not respond');
    }
    unanswered += 1;
    let isSettled = false;
    const { promise, resolve } = Promise.withResolvers<Error | undefined>();
    const settle = (failure: Error | undefined): void => {
      if (!isSettled) {
        isSettled = true;
        unanswered -= 1;
        clearTimeout(timer);
        resolve(failure);
      }
    };
    // The exporter is silent for ever about a response that breaks off within its body.
    const timer = setTimeout(
      () => settle(new Error(`no response within ${exportTimeoutMs} ms`)),
      exportTimeoutMs,
    );
    exporter.export(
      batch.map((span) => readableSpan(span, resource, maxAttributes)),
      ({ code, error }) =>
        settle(
          code === ExportResultCode.SUCCESS
            ? undefined
            : (error ?? new Error('the collector did not take the spans')),
        ),
    );
    return promise;
  };
}

function readableSpan(span: Span, resource: Resource, maxAttributes: number): ReadableSpan {
  const { name, kind, traceId, spanId, parentSpanId, startMs, endMs, error } = span;
  const context: SpanContext = { traceId, spanId, traceFlags: TraceFlags.SAMPLED };
  const attributes = Object.entries(span.attributes).filter(hasValue);
  return {
    name,
    kind: kinds[kind],
    spanContext: () => context,
    ...(parentSpanId !== undefined && { parentSpanContext: { ...context, spanId: parentSpanId } }),
    startTime: millisToHrTime(startMs),
    endTime: millisToHrTime(endMs),
    duration: millisToHrTime(endMs - startMs),
    status:
      error === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error },
    attributes: Object.fromEntries(attributes.slice(0, maxAttributes)),
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: { name: '@meridian/telemetry' },
    droppedAttributesCount: Math.max(0, attributes.length - maxAttributes),
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

function hasValue(entry: [string, AttributeValue | undefined]): entry is [string, AttributeValue] {
  return entry[1] !== undefined;
}

/** Zipkin has texts only. */
function textOf(value: AttributeValue | readonly AttributeValue[]): string {
  return typeof value === 'object' ? value.join(',') : String(value);
}
