import type { ISerializer } from '@opentelemetry/otlp-transformer';

import type { OtlpDestination } from './otlp-destination.ts';

export interface OtlpSenderOptions<Batch> {
  readonly destination: OtlpDestination;
  readonly signal: 'TRACES' | 'METRICS';
  readonly serializer: ISerializer<Batch, unknown>;
  /** The time for one batch, including retries. */
  readonly timeoutMs: number;
}
