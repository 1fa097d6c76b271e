import type { Metrics } from '@meridian/telemetry';
import { Counter } from 'prom-client';

/** A fault of a manifest: an unreadable file, or another text for a known identifier. */
type ManifestFault = 'file' | 'text';

export interface ManifestMetrics {
  readonly countFault: (kind: ManifestFault) => void;
}

export function createManifestMetrics({ registry }: Metrics): ManifestMetrics {
  const faults = new Counter({
    name: 'meridian_manifest_faults_total',
    help: 'Manifest files that could not be read (kind="file"), and identifiers with a new text (kind="text").',
    labelNames: ['kind'],
    registers: [registry],
  });
  // Present from the start: `increase` does not see the first count of a sample that was not there.
  faults.inc({ kind: 'file' }, 0);
  faults.inc({ kind: 'text' }, 0);
  return { countFault: (kind) => faults.inc({ kind }) };
}
