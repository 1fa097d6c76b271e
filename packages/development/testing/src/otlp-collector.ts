import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

import protobuf from 'protobufjs';

import { listenOnLoopback } from './listen-on-loopback.ts';

/** A span as a collector received it. */
export interface CollectedSpan {
  readonly name: string;
  /** The number of OpenTelemetry's `SpanKind`: 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root. */
  readonly parentSpanId: string;
  readonly startNanos: bigint;
  readonly endNanos: bigint;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** 0 unset, 1 ok, 2 error. */
  readonly statusCode: number;
  readonly statusMessage: string;
  /** The attributes of its sender. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A collector that speaks OTLP over HTTP with protobuf. */
export interface OtlpCollector {
  /** Without `/v1/traces`. */
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** The header fields of each message. */
  readonly headers: readonly IncomingMessage['headers'][];
  /** Responds from now on with this status or, with `silent`, not at all. */
  respondWith(response: number | 'silent'): void;
  close(): Promise<void>;
}

// The needed part of opentelemetry/proto/collector/trace/v1/trace_service.proto and the files that it imports.
const { root } = protobuf.parse(`
  syntax = "proto3";
  message ExportTraceServiceRequest { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated KeyValue attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1;
    bytes span_id = 2;
    bytes parent_span_id = 4;
    string name = 5;
    int32 kind = 6;
    fixed64 start_time_unix_nano = 7;
    fixed64 end_time_unix_nano = 8;
    repeated KeyValue attributes = 9;
    Status status = 15;
  }
  message Status { string message = 2; int32 code = 3; }
  message KeyValue { string key = 1; AnyValue value = 2; }
  message AnyValue {
    oneof value {
      string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; ArrayValue array_value = 5;
    }
  }
  message ArrayValue { repeated AnyValue values = 1; }
`);

/** Starts a collector on loopback. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = [];
  const headers: IncomingMessage['headers'][] = [];
  let behaviour: number | 'silent' = 200;

  const collect = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request);
    if (behaviour === 'silent') {
      return;
    }
    if (behaviour === 200 && request.url === '/v1/traces') {
      headers.push(request.headers);
      spans.push(...readSpans(body));
    }
    response.writeHead(behaviour, { 'Content-Type': 'application/x-protobuf' }).end();
  };
  const server = await listenOnLoopback((request, response) => void collect(request, response));
  return {
    url: server.url,
    spans,
    headers,
    respondWith: (response) => void (behaviour = response),
    close: () => server.close(),
  };
}

interface KeyValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface WireSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly status: { readonly code: number; readonly message: string } | null;
}

interface WireRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
}

function readSpans(body: Uint8Array): readonly CollectedSpan[] {
  const type = root.lookupType('ExportTraceServiceRequest');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was decoded by the declaration above
  const { resourceSpans } = type.toObject(type.decode(body), {
    longs: String,
    bytes: String,
    defaults: true,
  }) as WireRequest;
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) => spans.map((span) => collectedSpan(span, resource.attributes))),
  );
}

function collectedSpan(span: WireSpan, resource: readonly KeyValue[]): CollectedSpan {
  return {
    name: span.name,
    kind: span.kind,
    traceId: hex(span.traceId),
    spanId: hex(span.spanId),
    parentSpanId: hex(span.parentSpanId),
    startNanos: BigInt(span.startTimeUnixNano),
    endNanos: BigInt(span.endTimeUnixNano),
    attributes: attributesOf(span.attributes),
    statusCode: span.status?.code ?? 0,
    statusMessage: span.status?.message ?? '',
    resource: attributesOf(resource),
  };
}

function attributesOf(pairs: readonly KeyValue[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, valueOf(value)]));
}

function valueOf(value: KeyValue['value']): unknown {
  const [[kind, held] = []] = Object.entries(value);
  if (kind === 'arrayValue') {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was decoded by the declaration above
    return (held as { readonly values: readonly KeyValue['value'][] }).values.map(valueOf);
  }
  return kind === 'intValue' ? Number(held) : held;
}

function hex(base64: string): string {
  return Buffer.from(base64, 'base64').toString('hex');
}
