import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';

import type { ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import protobuf from 'protobufjs';

import { listenOnLoopback } from './listen-on-loopback.ts';
import type { LoopbackServer } from './listen-on-loopback.ts';
import type { Certificate } from './self-signed-certificate.ts';

/** A span as a collector received it. */
export type CollectedSpan = ReturnType<typeof collectedSpan>;

/** A metric as a collector received it. */
export type CollectedMetric = ReturnType<typeof readMetrics>[number];

export type CollectedPoint = ReturnType<typeof collectedPoint>;

/** A collector that speaks OTLP with protobuf. */
export type OtlpCollector = Awaited<ReturnType<typeof startCollector>>;

// The needed parts of opentelemetry/proto/collector, trace_service.proto and metrics_service.proto, and the files that they import.
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
    int32 dropped_attributes_count = 10;
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
  message ExportMetricsServiceRequest { repeated ResourceMetrics resource_metrics = 1; }
  message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; }
  message ScopeMetrics { repeated Metric metrics = 2; }
  message Metric {
    string name = 1;
    string unit = 3;
    oneof data { Gauge gauge = 5; Sum sum = 7; Histogram histogram = 9; }
  }
  message Gauge { repeated NumberDataPoint data_points = 1; }
  message Sum { repeated NumberDataPoint data_points = 1; int32 aggregation_temporality = 2; bool is_monotonic = 3; }
  message Histogram { repeated HistogramDataPoint data_points = 1; int32 aggregation_temporality = 2; }
  message NumberDataPoint {
    repeated KeyValue attributes = 7;
    fixed64 start_time_unix_nano = 2;
    fixed64 time_unix_nano = 3;
    oneof value { double as_double = 4; sfixed64 as_int = 6; }
  }
  message HistogramDataPoint {
    repeated KeyValue attributes = 9;
    fixed64 start_time_unix_nano = 2;
    fixed64 time_unix_nano = 3;
    fixed64 count = 4;
    double sum = 5;
    repeated fixed64 bucket_counts = 6;
    repeated double explicit_bounds = 7;
  }
`);

/** Takes a message of a signal as the collector's behaviour says; the status of the response, or undefined for none. */
type Take = (
  signal: string | undefined,
  headers: IncomingMessage['headers'],
  message: Uint8Array,
) => number | undefined;

async function startCollector(listen: (take: Take) => Promise<LoopbackServer>) {
  const spans: CollectedSpan[] = [];
  /** The metrics of each message. */
  const metrics: (readonly CollectedMetric[])[] = [];
  /** The header fields, or the metadata, of each message. */
  const headers: IncomingMessage['headers'][] = [];
  let refused = 0;
  let behaviour: number | 'silent' = 200;
  const server = await listen((signal, fields, message) => {
    if (behaviour === 'silent') {
      return undefined;
    }
    if (behaviour !== 200 || (signal !== 'traces' && signal !== 'metrics')) {
      refused += 1;
      return behaviour;
    }
    headers.push(fields);
    if (signal === 'traces') {
      spans.push(...readSpans(message));
    } else {
      metrics.push(readMetrics(message));
    }
    return behaviour;
  });
  return {
    ...server,
    spans,
    metrics,
    /** The number of messages that it did not take. */
    get refused() {
      return refused;
    },
    headers,
    /**
     * Responds from now on with this status or, with `silent`, not at all. Over gRPC, 200 is OK, 503 UNAVAILABLE, and
     * any other INVALID_ARGUMENT.
     */
    respondWith: (response: number | 'silent'): void => void (behaviour = response),
  };
}

/** Starts a collector on loopback that takes OTLP over HTTP. Its URL is without `/v1/traces`. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  return startCollector(async (take) => {
    const collect = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const body = await buffer(request);
      const code = take(request.url?.replace('/v1/', ''), request.headers, body);
      if (code !== undefined) {
        response.writeHead(code, { 'Content-Type': 'application/x-protobuf' }).end();
      }
    };
    const server = await listenOnLoopback((request, response) => void collect(request, response));
    return { url: server.url, close: () => server.close() };
  });
}

const services = { traces: 'trace.v1.TraceService', metrics: 'metrics.v1.MetricsService' };

/** Starts a collector on loopback that takes OTLP over gRPC, with a certificate over TLS. */
export async function startGrpcCollector(certificate?: Certificate): Promise<OtlpCollector> {
  return startCollector(async (take) => {
    const server = new Server();
    for (const [signal, service] of Object.entries(services)) {
      const Export = (
        { request, metadata }: ServerUnaryCall<Buffer, Buffer>,
        respond: sendUnaryData<Buffer>,
      ): void => {
        const fields = Object.entries(metadata.getMap()).map(([name, value]) => [name, String(value)]);
        const code = take(signal, Object.fromEntries(fields), request);
        if (code === 200) {
          respond(null, Buffer.alloc(0));
        } else if (code !== undefined) {
          const grpcCode = code === 503 ? status.UNAVAILABLE : status.INVALID_ARGUMENT;
          respond({ code: grpcCode, details: `refused with ${code}` });
        }
      };
      const path = `/opentelemetry.proto.collector.${service}/Export`;
      server.addService({ Export: { ...unary, path } }, { Export });
    }
    const credentials =
      certificate === undefined
        ? ServerCredentials.createInsecure()
        : ServerCredentials.createSsl(null, [
            { cert_chain: Buffer.from(certificate.cert), private_key: Buffer.from(certificate.key) },
          ]);
    const port = await promisify(server.bindAsync.bind(server))('127.0.0.1:0', credentials);
    return {
      url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
      close: () => Promise.resolve(server.forceShutdown()),
    };
  });
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
  readonly droppedAttributesCount: number;
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

function collectedSpan(span: WireSpan, resource: readonly KeyValue[]) {
  return {
    name: span.name,
    /** The number of OpenTelemetry's `SpanKind`: 1 internal, 2 server, 3 client. */
    kind: span.kind,
    traceId: hex(span.traceId),
    spanId: hex(span.spanId),
    /** Empty for a root. */
    parentSpanId: hex(span.parentSpanId),
    startNanos: BigInt(span.startTimeUnixNano),
    endNanos: BigInt(span.endTimeUnixNano),
    attributes: attributesOf(span.attributes),
    ...(span.droppedAttributesCount > 0 && { droppedAttributes: span.droppedAttributesCount }),
    /** 0 unset, 1 ok, 2 error. */
    statusCode: span.status?.code ?? 0,
    statusMessage: span.status?.message ?? '',
    /** The attributes of its sender. */
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

function asIs(bytes: Buffer): Buffer {
  return bytes;
}

/** A call of gRPC with one message, and one in response. */
const unary = {
  requestStream: false,
  responseStream: false,
  requestSerialize: asIs,
  requestDeserialize: asIs,
  responseSerialize: asIs,
  responseDeserialize: asIs,
} as const;

interface WirePoint {
  readonly attributes: readonly KeyValue[];
  readonly startTimeUnixNano: string;
  readonly timeUnixNano: string;
  readonly asDouble?: number;
  readonly asInt?: string;
  readonly count?: string;
  readonly sum?: number;
  readonly bucketCounts?: readonly string[];
  readonly explicitBounds?: readonly number[];
}

interface WireData {
  readonly dataPoints: readonly WirePoint[];
  readonly aggregationTemporality?: number;
  readonly isMonotonic?: boolean;
}

interface WireMetrics {
  readonly resourceMetrics: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeMetrics: readonly {
      readonly metrics: readonly ({ readonly name: string; readonly unit?: string } & Partial<
        Record<(typeof kinds)[number], WireData>
      >)[];
    }[];
  }[];
}

const kinds = ['gauge', 'sum', 'histogram'] as const;

function readMetrics(body: Uint8Array) {
  const type = root.lookupType('ExportMetricsServiceRequest');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was decoded by the declaration above
  const { resourceMetrics } = type.toObject(type.decode(body), {
    longs: String,
    arrays: true,
    defaults: false,
  }) as WireMetrics;
  return resourceMetrics.flatMap(({ resource, scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) =>
      metrics.flatMap(({ name, unit, ...data }) =>
        kinds
          .map((kind) => ({ kind, held: data[kind] }))
          .flatMap(({ kind, held }) =>
            held === undefined
              ? []
              : {
                  name,
                  unit: unit ?? '',
                  kind,
                  /** 1 delta, 2 cumulative; 0 for a gauge. */
                  temporality: held.aggregationTemporality ?? 0,
                  isMonotonic: held.isMonotonic ?? false,
                  points: held.dataPoints.map(collectedPoint),
                  /** The attributes of its sender. */
                  resource: attributesOf(resource.attributes),
                },
          ),
      ),
    ),
  );
}

function collectedPoint(point: WirePoint) {
  return {
    attributes: attributesOf(point.attributes),
    startNanos: BigInt(point.startTimeUnixNano),
    timeNanos: BigInt(point.timeUnixNano),
    /** The value; of a histogram, the number of observations. */
    value: Number(point.asInt ?? point.asDouble ?? point.count ?? 0),
    sum: point.sum ?? 0,
    bucketCounts: (point.bucketCounts ?? []).map(Number),
    bounds: point.explicitBounds ?? [],
  };
}
