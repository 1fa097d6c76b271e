import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { checkout } from '../data-directory.ts';

/**
 * The identifier of an operation of the manifest, by the operation's name.
 *
 * @throws {Error} when the manifest has no such operation
 */
export async function identifierOf(operationName: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(checkout, 'persisted-queries.json'), 'utf8'));
  const operation = operationsOf(manifest).find(({ name }) => name === operationName);
  if (operation === undefined) {
    throw new Error(`persisted-queries.json has no operation ${operationName}`);
  }
  return operation.id;
}

interface Operation {
  readonly id: string;
  readonly name: string;
}

function operationsOf(manifest: unknown): Operation[] {
  const isManifest = typeof manifest === 'object' && manifest !== null && 'operations' in manifest;
  return isManifest && Array.isArray(manifest.operations) ? manifest.operations.filter(isOperation) : [];
}

function isOperation(value: unknown): value is Operation {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'name' in value &&
    typeof value.name === 'string'
  );
}
