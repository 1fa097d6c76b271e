import { MessageWriter } from './message-writer.ts';
import type { AttributeValue, Span } from './span.ts';

/** Writes spans in the format of collectors: an `ExportTraceServiceRequest`. */
export type WriteTraceRequest = (spans: readonly Span[]) => Buffer;

/** The attributes of the origin of spans; unlike a span's attributes, they may hold lists. */
export type ResourceAttributes = Readonly<Record<string, AttributeValue | readonly AttributeValue[]>>;

/** `SpanKind`. */
const kinds = { internal: 1, server: 2, client: 3 } as const satisfies Record<Span['kind'], number>;

/** `STATUS_CODE_ERROR`. */
const errorStatus = 2;

/**
 * W3C's flag `sampled`, and `SPAN_FLAGS_CONTEXT_HAS_IS_REMOTE_MASK`: the parent is known not to be of another
 * process.
 */
const flags = 0x01 + 0x100;

/**
 * Creates the writer of a resource's spans. OpenTelemetry's own serializer needs spans of its SDK, and reads each
 * twice.
 *
 * opentelemetry-proto 1.9: collector/trace/v1/trace_service.proto, trace/v1/trace.proto, common/v1/common.proto.
 */
export function createTraceRequestWriter(
  resource: ResourceAttributes,
  maxAttributes: number,
): WriteTraceRequest {
  const writer = new MessageWriter();
  return (spans) => {
    const resourceSpans = writer.begin(1);
    const described = writer.begin(1);
    writeAttributes(writer, 1, resource);
    writer.end(described);
    const scopeSpans = writer.begin(2);
    const scope = writer.begin(1);
    writer.text(1, '@meridian/telemetry');
    writer.end(scope);
    for (const span of spans) {
      writeSpan(writer, span, maxAttributes);
    }
    writer.end(scopeSpans);
    writer.end(resourceSpans);
    return writer.finish();
  };
}

function writeSpan(writer: MessageWriter, span: Span, maxAttributes: number): void {
  const start = writer.begin(2);
  writer.hex(1, span.traceId);
  writer.hex(2, span.spanId);
  if (span.parentSpanId !== undefined) {
    writer.hex(4, span.parentSpanId);
  }
  writer.text(5, span.name);
  writer.integer(6, kinds[span.kind]);
  writeTime(writer, 7, span.startMs);
  writeTime(writer, 8, span.endMs);
  const dropped = writeAttributes(writer, 9, span.attributes, maxAttributes);
  if (dropped > 0) {
    writer.integer(10, dropped);
  }
  if (span.error !== undefined) {
    const status = writer.begin(15);
    writer.text(2, span.error);
    writer.integer(3, errorStatus);
    writer.end(status);
  }
  writer.fixed32(16, flags);
  writer.end(start);
}

/** Returns the number of attributes beyond the maximum, which are left out. */
function writeAttributes(
  writer: MessageWriter,
  field: number,
  attributes: Span['attributes'] | ResourceAttributes,
  max = Number.POSITIVE_INFINITY,
): number {
  let count = 0;
  for (const name in attributes) {
    const value = attributes[name];
    if (value === undefined) {
      continue;
    }
    count += 1;
    if (count <= max) {
      const pair = writer.begin(field);
      writer.text(1, name);
      const any = writer.begin(2);
      writeValue(writer, value);
      writer.end(any);
      writer.end(pair);
    }
  }
  return Math.max(0, count - max);
}

function writeValue(writer: MessageWriter, value: AttributeValue | readonly AttributeValue[]): void {
  if (typeof value === 'string') {
    writer.text(1, value);
  } else if (typeof value === 'object') {
    writeList(writer, value);
  } else if (typeof value === 'boolean') {
    writer.integer(2, value);
  } else if (Number.isSafeInteger(value) && value >= 0) {
    writer.integer(3, value);
  } else {
    writer.double(4, value);
  }
}

/** `ArrayValue`. */
function writeList(writer: MessageWriter, values: readonly AttributeValue[]): void {
  const list = writer.begin(5);
  for (const value of values) {
    const item = writer.begin(1);
    writeValue(writer, value);
    writer.end(item);
  }
  writer.end(list);
}

/** A double does not hold nanoseconds since the epoch, but it does hold those in the lower half of the milliseconds. */
function writeTime(writer: MessageWriter, field: number, sinceEpochMs: number): void {
  const milliseconds = Math.floor(sinceEpochMs);
  const fraction = Math.round((sinceEpochMs - milliseconds) * 1e6);
  const lower = (milliseconds % half) * 1e6 + fraction;
  writer.fixed64(field, Math.floor(milliseconds / half) * 1e6 + Math.floor(lower / half), lower % half);
}

const half = 2 ** 32;
