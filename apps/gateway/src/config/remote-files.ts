import { hash } from 'node:crypto';
import { join } from 'node:path';

import type { RouterConfig } from '@meridian/router-config';

import type { GatewayEnvironment } from './gateway-environment.ts';

/** A file that is kept elsewhere, and its copy on this machine. */
export interface RemoteFile {
  readonly url: string;
  /** The local copy: the last good one, which outlives the process. */
  readonly path: string;
  readonly holds: 'supergraph' | 'manifest';
}

/** Credentials for the places that remote files are fetched from. */
export type RemoteAccess = ReturnType<typeof accessOf>;

interface ManifestFiles {
  readonly paths: readonly string[];
  readonly isReloaded: boolean;
}

/** The supergraph and the manifests: of those that are kept elsewhere, the paths of their local copies. */
export function sourceFiles(environment: GatewayEnvironment, manifests: ManifestFiles | undefined) {
  const files: RemoteFile[] = [];
  const localPath = (reference: string, holds: RemoteFile['holds']): string => {
    if (!isRemote(reference)) {
      return reference;
    }
    const file = remoteFile(reference, holds, environment.REMOTE_FILES_PATH);
    files.push(file);
    return file.path;
  };
  return {
    supergraphPath: localPath(environment.SUPERGRAPH_PATH, 'supergraph'),
    /** Undefined where persisted queries are off. */
    manifests: manifests && {
      ...manifests,
      paths: manifests.paths.map((path) => localPath(path, 'manifest')),
    },
    remote: {
      files,
      access: accessOf(environment),
      /** The pause between two looks at each. */
      everyMs: environment.REMOTE_FILES_EVERY_MS,
    },
  };
}

/** @param directory where copies are kept */
function remoteFile(url: string, holds: RemoteFile['holds'], directory: string): RemoteFile {
  const extension = holds === 'supergraph' ? 'graphql' : 'json';
  return { url, holds, path: join(directory, `${holds}-${hash('sha256', url).slice(0, 16)}.${extension}`) };
}

/** True for a reference to a file elsewhere: an `https:`, `http:`, `s3:` or `oci:` URL. */
export function isRemote(reference: string): boolean {
  return /^(?:https?|s3|oci):\/\//.test(reference);
}

/** The manifests as router.yaml names them; undefined where persisted queries are off. */
export function manifestFiles({ persisted_queries: queries }: RouterConfig): ManifestFiles | undefined {
  if (!queries.enabled) {
    return undefined;
  }
  // Router reads its registry by default, and always polls it; it polls files only with `hot_reload`.
  const { local_manifests: paths } = queries;
  return paths === undefined
    ? { paths: ['persisted-queries.json'], isReloaded: true }
    : { paths, isReloaded: queries.hot_reload };
}

function accessOf(environment: GatewayEnvironment) {
  return {
    /** The bearer token for web servers. */
    token: environment.REMOTE_FILES_TOKEN,
    /** S3 or a store that is compatible with it, by the variables that Amazon's own tools read. */
    s3: {
      accessKeyId: environment.AWS_ACCESS_KEY_ID,
      secretAccessKey: environment.AWS_SECRET_ACCESS_KEY,
      sessionToken: environment.AWS_SESSION_TOKEN,
      region: environment.AWS_REGION,
      /** The store's URL; undefined for Amazon's. */
      endpoint: environment.AWS_ENDPOINT_URL_S3,
    },
    /** A registry; without a name, as anybody. */
    oci: { username: environment.OCI_USERNAME, password: environment.OCI_PASSWORD },
    /** The time for one request to any of these. */
    timeoutMs: environment.REMOTE_FILES_TIMEOUT_MS,
  };
}
