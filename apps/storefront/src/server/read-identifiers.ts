import { readFile } from 'node:fs/promises';

/** The identifiers of a manifest's operations: a client needs nothing else of it. */
export interface Identifiers {
  readonly operations: readonly { readonly id: string; readonly name: string }[];
}

/**
 * Reads them from a manifest in Apollo's format.
 *
 * @throws {Error} for any other file
 */
export async function readIdentifiers(path: string): Promise<Identifiers> {
  const manifest: unknown = JSON.parse(await readFile(path, 'utf8'));
  if (typeof manifest !== 'object' || manifest === null || !('operations' in manifest)) {
    throw new Error(`${path} is not a manifest`);
  }
  const { operations } = manifest;
  if (!Array.isArray(operations)) {
    throw new TypeError(`${path} has no list of operations`);
  }
  return {
    operations: operations.map(({ id, name }: { id: unknown; name: unknown }) => ({
      id: String(id),
      name: String(name),
    })),
  };
}
