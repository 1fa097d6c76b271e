export { appNames, findManifests } from './find-manifests.ts';
export { type ListedOperation, type ManifestApp, operationKey, queryHash } from './listed-operation.ts';
export { ManifestError } from './manifest-error.ts';
export { parseManifest } from './parse-manifest.ts';
export { plainIdentifier } from './plain-identifier.ts';
export { readManifest, type ManifestFile } from './read-manifest.ts';
