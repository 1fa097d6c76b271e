import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';

import type { OtlpDestination } from '../otlp/otlp-destination.ts';
import type { SendBatch } from '../otlp/otlp-sender.ts';
import { createOtlpSender } from '../otlp/otlp-sender.ts';
import type { SpanExporterOptions } from './span-exporter-options.ts';
import type { Span } from './span.ts';
import { createTraceRequestWriter } from './trace-request.ts';

/** Creates a sender over OTLP. */
export async function createSpanSender(
  destination: OtlpDestination,
  { resource, maxAttributes, exportTimeoutMs }: SpanExporterOptions,
): Promise<SendBatch<readonly Span[]>> {
  return createOtlpSender({
    destination,
    signal: 'TRACES',
    serializer: {
      serializeRequest: createTraceRequestWriter(resource, maxAttributes),
      deserializeResponse: (bytes) => ProtobufTraceSerializer.deserializeResponse(bytes),
    },
    timeoutMs: exportTimeoutMs,
  });
}
