import { hash } from 'node:crypto';
import { join } from 'node:path';

/** A file that is kept elsewhere, and its copy on this machine. */
export interface RemoteFile {
  readonly url: string;
  /** The local copy: the last good one, which outlives the process. */
  readonly path: string;
  readonly holds: 'supergraph' | 'manifest';
}

/** True for a reference to a file elsewhere: an `https:`, `http:`, `s3:` or `oci:` URL. */
export function isRemote(reference: string): boolean {
  return /^(?:https?|s3|oci):\/\//.test(reference);
}

/** @param directory where copies are kept */
export function remoteFile(url: string, holds: RemoteFile['holds'], directory: string): RemoteFile {
  const extension = holds === 'supergraph' ? 'graphql' : 'json';
  return { url, holds, path: join(directory, `${holds}-${hash('sha256', url).slice(0, 16)}.${extension}`) };
}
