import type { RouterConfig } from '@meridian/router-config';

import type { RemoteFile } from './remote-file.ts';
import { isRemote, remoteFile } from './remote-file.ts';
import type { GatewayEnvironment } from './gateway-environment.ts';

/** The supergraph and the manifests, where they are kept elsewhere by their local copies. */
export interface SourceFiles {
  readonly supergraphPath: string;
  /** Absent where persisted queries are off. */
  readonly manifests: ManifestFiles | undefined;
  readonly remote: RemoteFiles;
}

export interface ManifestFiles {
  readonly paths: readonly string[];
  readonly isReloaded: boolean;
}

/** The files that are kept elsewhere. */
export interface RemoteFiles {
  readonly files: readonly RemoteFile[];
  readonly access: RemoteAccess;
  /** The pause between two looks at each, in milliseconds. */
  readonly everyMs: number;
}

/** Credentials for the places that remote files are fetched from. */
export interface RemoteAccess {
  /** The bearer token for web servers. */
  readonly token: string | undefined;
  readonly s3: S3Access;
  readonly oci: OciAccess;
  /** The time for one request to any of these, in milliseconds. */
  readonly timeoutMs: number;
}

/** Access to S3 or a store that is compatible with it, by the variables that Amazon's own tools read. */
export interface S3Access {
  readonly accessKeyId: string | undefined;
  readonly secretAccessKey: string | undefined;
  readonly sessionToken: string | undefined;
  readonly region: string;
  /** The store's URL; absent for Amazon's. */
  readonly endpoint: string | undefined;
}

/** Access to a registry; without a name, as anybody. */
export interface OciAccess {
  readonly username: string | undefined;
  readonly password: string | undefined;
}

export function sourceFiles(
  environment: GatewayEnvironment,
  manifests: ManifestFiles | undefined,
): SourceFiles {
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
    manifests: manifests && {
      ...manifests,
      paths: manifests.paths.map((path) => localPath(path, 'manifest')),
    },
    remote: { files, access: accessOf(environment), everyMs: environment.REMOTE_FILES_EVERY_MS },
  };
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

function accessOf(environment: GatewayEnvironment): RemoteAccess {
  return {
    token: environment.REMOTE_FILES_TOKEN,
    s3: {
      accessKeyId: environment.AWS_ACCESS_KEY_ID,
      secretAccessKey: environment.AWS_SECRET_ACCESS_KEY,
      sessionToken: environment.AWS_SESSION_TOKEN,
      region: environment.AWS_REGION,
      endpoint: environment.AWS_ENDPOINT_URL_S3,
    },
    oci: { username: environment.OCI_USERNAME, password: environment.OCI_PASSWORD },
    timeoutMs: environment.REMOTE_FILES_TIMEOUT_MS,
  };
}
