import { hashTexts } from '../hash-texts.ts';
import { isRecord } from '../is-record.ts';
import type { OperationText } from '../operation-text.ts';
import { textKey } from '../operation-text.ts';
import { plainIdentifier } from '../plain-identifier.ts';

/** An operation that was registered before it is sent. */
export interface ManifestOperation extends OperationText {
  readonly id: string;
  readonly name: string;
}

/** The registered operations. */
export interface Manifest {
  /** SHA-256 of its files, for operators. */
  readonly hash: string;
  readonly operations: readonly ManifestOperation[];
  /** The operation of an identifier: the client's own where it has one, else the one for every client. */
  find(id: string, clientName: string | undefined): ManifestOperation | undefined;
}

/** A manifest file does not hold what it should. The message is one line that names the file. */
export class ManifestError extends Error {
  constructor(name: string, fault: string) {
    super(`Cannot read the manifest ${name}: ${fault}`);
    this.name = 'ManifestError';
  }
}

/** A manifest file. */
export interface ManifestFile {
  /** What messages call it. */
  readonly name: string;
  readonly text: string;
}

/**
 * Reads manifests in Apollo's format, version 1, into one. Identifiers are opaque: they are compared, never computed.
 *
 * @throws {ManifestError}
 */
export function parseManifests(files: readonly ManifestFile[]): Manifest {
  const byId = new Map<string, ManifestOperation>();
  for (const file of files) {
    for (const { id, name, body, clientName } of parseEntries(file)) {
      const existing = byId.get(lookupKey(id, clientName));
      if (existing !== undefined && existing.text !== body) {
        throw new ManifestError(file.name, `the identifier ${JSON.stringify(id)} stands for two operations`);
      }
      byId.set(lookupKey(id, clientName), { id, name, text: body, key: textKey(body), isFromManifest: true });
    }
  }
  return {
    hash: hashTexts(files.map(({ text }) => text)),
    operations: [...byId.values()],
    find: (id, clientName) =>
      (clientName === undefined ? undefined : byId.get(lookupKey(id, clientName))) ??
      byId.get(lookupKey(id, undefined)),
  };
}

interface Entry {
  readonly id: string;
  readonly name: string;
  readonly body: string;
  readonly clientName: string | undefined;
}

function parseEntries({ name, text }: ManifestFile): Entry[] {
  const manifest = parseJson(name, text);
  const { format, version, operations } = isRecord(manifest) ? manifest : {};
  if (format !== 'apollo-persisted-query-manifest' || version !== 1) {
    throw new ManifestError(name, 'its format is not apollo-persisted-query-manifest, version 1');
  }
  if (!Array.isArray(operations)) {
    throw new ManifestError(name, 'it has no list of operations');
  }
  return operations.map((operation: unknown, index) => parseEntry(operation, index, name));
}

function parseEntry(operation: unknown, index: number, file: string): Entry {
  const { id, name, body, clientName } = isRecord(operation) ? operation : {};
  if (
    typeof id === 'string' &&
    id !== '' &&
    typeof name === 'string' &&
    typeof body === 'string' &&
    (clientName === undefined || clientName === null || typeof clientName === 'string')
  ) {
    return { id, name, body, clientName: clientName ?? undefined };
  }
  throw new ManifestError(file, `operations[${index}] lacks an id, a name or a body`);
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ManifestError(name, 'it is not valid JSON');
  }
}

/** Client names and identifiers are free text; JSON keeps the two apart. */
function lookupKey(id: string, clientName: string | undefined): string {
  return JSON.stringify([clientName ?? null, plainIdentifier(id)]);
}
