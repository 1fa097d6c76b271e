export { appNames } from './app-names.ts';
export { findManifests } from './find-manifests.ts';
export type { ListedOperation, ManifestApp } from './listed-operation.ts';
export { ManifestError } from './manifest-error.ts';
export { operationKey } from './operation-key.ts';
export { parseManifest } from './parse-manifest.ts';
export { plainIdentifier } from './plain-identifier.ts';
export { queryHash } from './query-hash.ts';
export { readManifest, type ManifestFile } from './read-manifest.ts';
