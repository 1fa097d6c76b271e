import type { Manifest } from './manifest.ts';
import type { ManifestFiles } from './read-files.ts';

/** Remembers the manifest in force across changes of the configuration. */
export interface ManifestMemory {
  readonly files: () => ManifestFiles;
  /** Absent at the start of the process. */
  readonly manifest: () => Manifest | undefined;
  readonly keep: (inForce: RememberedManifest) => void;
}

export interface RememberedManifest {
  readonly files: ManifestFiles;
  readonly manifest: Manifest;
}

export function createManifestMemory(): ManifestMemory {
  let kept: RememberedManifest | undefined;
  return {
    files: () => kept?.files ?? new Map(),
    manifest: () => kept?.manifest,
    keep: ({ files, manifest }) => {
      kept = { files, manifest };
    },
  };
}
