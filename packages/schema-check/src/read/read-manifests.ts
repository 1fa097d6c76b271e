import type { ListedOperation } from '@meridian/manifest';
import { parseManifest } from '@meridian/manifest';

import type { Version } from './repository.ts';
import type { ManifestRule } from '../rules/rules.ts';

/** An operation of a manifest, and the client whose manifest it is. */
export interface ClientOperation extends ListedOperation {
  readonly client: string;
}

/**
 * Reads the manifests of a version. One that is not there lists nothing: it is new, or gone.
 *
 * @throws {ManifestError}
 */
export function readManifests(
  { read }: Version,
  manifests: readonly ManifestRule[],
): readonly ClientOperation[] {
  return manifests.flatMap(({ path, client }) => {
    const text = read(path);
    return text === undefined
      ? []
      : parseManifest(path, text).map(({ id, name, text: document, clientName }) => ({
          id,
          name,
          text: document,
          clientName,
          client: clientName ?? client,
        }));
  });
}
