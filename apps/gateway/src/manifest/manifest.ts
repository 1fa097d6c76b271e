import type { ListedOperation } from '@meridian/manifest';
import { operationKey, queryHash } from '@meridian/manifest';
import { parse } from 'graphql';

import type { OperationSource } from '../operation/operation-source.ts';
import { canonicalText } from '../operation/canonical-text.ts';

/** An operation that was registered before it is sent. */
export interface ManifestOperation extends OperationSource {
  readonly id: string;
  readonly name: string;
  /** The only client that may use the identifier; absent for all clients. */
  readonly clientName: string | undefined;
  /** The names of the apps whose manifests list it. */
  readonly apps: readonly string[];
}

/** The registered operations. */
export interface Manifest {
  /** SHA-256 of its files, for operators. */
  readonly hash: string;
  readonly operations: readonly ManifestOperation[];
  /** By the keys of their identifiers. */
  readonly byKey: ReadonlyMap<string, ManifestOperation>;
  /** The operation of an identifier: the client's own where it has one, else the one for every client. */
  find(id: string, clientName: string | undefined): ManifestOperation | undefined;
}

/** Makes a manifest of operations by the keys of their identifiers. */
export function createManifest(byKey: ReadonlyMap<string, ManifestOperation>, hash: string): Manifest {
  return {
    hash,
    operations: [...byKey.values()],
    byKey,
    find: (id, clientName) =>
      (clientName === undefined ? undefined : byKey.get(operationKey(id, clientName))) ??
      byKey.get(operationKey(id, undefined)),
  };
}

/** An operation of a manifest, with the key of its identifier. */
export function manifestOperation(
  { id, name, clientName }: ListedOperation,
  text: string,
  apps: readonly string[],
): ManifestOperation {
  return { id, name, clientName, apps, text, key: `manifest ${queryHash(text)}`, isFromManifest: true };
}

/** True when a manifest has an operation whose canonical text has this key. */
export function isListed(manifest: Manifest, canonicalKey: string): boolean {
  const known = keysOf.get(manifest) ?? canonicalKeys(manifest);
  keysOf.set(manifest, known);
  return known.has(canonicalKey);
}

/** Computed at the first use: where identifiers are required, there is none. */
const keysOf = new WeakMap<Manifest, ReadonlySet<string>>();

function canonicalKeys({ operations }: Manifest): ReadonlySet<string> {
  return new Set(operations.flatMap(({ text }) => canonicalOrNothing(text)));
}

/** An operation that cannot be parsed never runs, so it is not listed. */
function canonicalOrNothing(text: string): string[] {
  try {
    return [queryHash(canonicalText(parse(text, { noLocation: true })))];
  } catch {
    return [];
  }
}
