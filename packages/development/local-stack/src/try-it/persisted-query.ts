import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { checkout } from '../data-directory.ts';

/**
 * The identifier of an operation of the manifest, by the operation's name.
 *
 * @throws {Error} when the manifest has no such operation
 */
export async function identifierOf(operationName: string): Promise<string> {
  const { operations }: { readonly operations: readonly { readonly id: string; readonly name: string }[] } =
    JSON.parse(await readFile(join(checkout, 'persisted-queries.json'), 'utf8'));
  const operation = operations.find(({ name }) => name === operationName);
  if (operation === undefined) {
    throw new Error(`persisted-queries.json has no operation ${operationName}`);
  }
  return operation.id;
}
