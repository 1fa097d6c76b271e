import { checkServerIdentity } from 'node:tls';

import type { ChannelCredentials } from '@grpc/grpc-js';
import { Metadata, credentials, status } from '@grpc/grpc-js';
import type { IOtlpExportDelegate } from '@opentelemetry/otlp-exporter-base';
import {
  convertLegacyOtlpGrpcOptions,
  createOtlpGrpcExportDelegate,
} from '@opentelemetry/otlp-grpc-exporter-base';

import type { GrpcTls, OtlpOverGrpc } from './otlp-destination.ts';
import type { OtlpSenderOptions } from './otlp-sender-options.ts';

/** The service of each signal. opentelemetry-proto 1.9, `collector`. */
const services = {
  TRACES: { name: 'TraceExportService', path: '/opentelemetry.proto.collector.trace.v1.TraceService/Export' },
  METRICS: {
    name: 'MetricsExportService',
    path: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
  },
};

/** Creates the delegate of OpenTelemetry's exporters over gRPC. It connects at the first export. */
export function createGrpcDelegate<Batch>(
  { signal, serializer, timeoutMs }: OtlpSenderOptions<Batch>,
  { url, headers, tls }: OtlpOverGrpc,
): IOtlpExportDelegate<Batch> {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) {
    metadata.set(name, value);
  }
  const { name, path } = services[signal];
  return createOtlpGrpcExportDelegate(
    convertLegacyOtlpGrpcOptions(
      {
        url,
        metadata,
        timeoutMillis: timeoutMs,
        credentials: url.toLowerCase().startsWith('https:')
          ? tlsCredentials(tls)
          : credentials.createInsecure(),
      },
      signal,
    ),
    serializer,
    'otlp_grpc_exporter',
    // Metrics about the export itself go nowhere, so nothing is counted.
    { name: 'span', countItems: () => 0 },
    undefined,
    name,
    path,
  );
}

function tlsCredentials({ authorities, identity, serverName }: GrpcTls): ChannelCredentials {
  return credentials.createSsl(
    bytesOf(authorities),
    bytesOf(identity?.key),
    bytesOf(identity?.certificate),
    serverName === undefined
      ? {}
      : { checkServerIdentity: (_host, certificate) => checkServerIdentity(serverName, certificate) },
  );
}

function bytesOf(pem: string | undefined): Buffer | null {
  return pem === undefined ? null : Buffer.from(pem);
}

/** OTLP, "Failures" of OTLP/gRPC. */
const retryableCodes: ReadonlySet<unknown> = new Set([
  status.CANCELLED,
  status.DEADLINE_EXCEEDED,
  status.ABORTED,
  status.OUT_OF_RANGE,
  status.UNAVAILABLE,
  status.DATA_LOSS,
]);

/** True for an error of gRPC after which the same batch may be sent again. */
export function isRetryable(error: Error): boolean {
  return 'code' in error && retryableCodes.has(error.code);
}
