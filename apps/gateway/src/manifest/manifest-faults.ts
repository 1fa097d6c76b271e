import type { Metrics } from '@meridian/telemetry';
import { Counter } from 'prom-client';

/** Faults of manifests, by kind: an unreadable file, or another text for a known identifier. */
export type ManifestFaults = Counter<'kind'>;

export function createManifestFaults({ registry }: Metrics): ManifestFaults {
  const faults = new Counter({
    name: 'meridian_manifest_faults_total',
    help: 'Manifest files that could not be read (kind="file"), and identifiers with a new text (kind="text").',
    labelNames: ['kind'],
    registers: [registry],
  });
  // Present from the start: `increase` does not see the first count of a sample that was not there.
  faults.inc({ kind: 'file' }, 0);
  faults.inc({ kind: 'text' }, 0);
  return faults;
}
