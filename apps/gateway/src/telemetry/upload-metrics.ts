import type { Metrics } from '@meridian/telemetry';
import { createHistogram } from '@meridian/telemetry';
import { Counter } from 'prom-client';

/** The files of one request. */
export interface ReceivedFiles {
  /** The files that have begun to arrive. */
  readonly count: number;
  /** The sizes in bytes of those that have arrived. */
  readonly sizes: readonly number[];
  readonly exceedsMaxFiles: boolean;
  readonly exceedsMaxFileSize: boolean;
}

/**
 * Registers metrics of requests with files, with Apollo Router's names: once for a process. They have no series before the
 * first request with files.
 */
export function createUploadMetrics({ registry }: Metrics) {
  const requests = new Counter({
    name: 'apollo_router_operations_file_uploads_total',
    help: 'Requests with files, by the limits that they exceed.',
    labelNames: ['file_uploads_limits_max_file_size_exceeded', 'file_uploads_limits_max_files_exceeded'],
    registers: [registry],
  });
  const sizes = createHistogram({
    registry,
    name: 'apollo_router_operations_file_uploads_file_size',
    help: 'Sizes of files, in bytes.',
    labelNames: [],
    buckets: [1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9],
  });
  const files = createHistogram({
    registry,
    name: 'apollo_router_operations_file_uploads_files',
    help: 'Files of a request.',
    labelNames: [],
    buckets: [0, 1, 2, 5, 10, 20, 50],
  });
  return {
    onRequest: (received: ReceivedFiles): void => {
      requests.inc({
        file_uploads_limits_max_file_size_exceeded: String(received.exceedsMaxFileSize),
        file_uploads_limits_max_files_exceeded: String(received.exceedsMaxFiles),
      });
      files.observe({}, received.count);
      for (const size of received.sizes) {
        sizes.observe({}, size);
      }
    },
  };
}

export type UploadMetrics = ReturnType<typeof createUploadMetrics>;
