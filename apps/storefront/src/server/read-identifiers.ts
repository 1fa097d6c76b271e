import { readFile } from 'node:fs/promises';

/** The identifiers of a manifest's current operations: a client needs nothing else of it. */
export interface Identifiers {
  readonly operations: readonly { readonly id: string; readonly name: string }[];
}

/**
 * Reads them from a manifest in Apollo's format. The current operation is the last one of its name; those before it are
 * of earlier releases.
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
  const current = new Map(
    operations.map(({ id, name }: { id: unknown; name: unknown }) => [String(name), String(id)] as const),
  );
  return { operations: Array.from(current, ([name, id]) => ({ id, name })) };
}
