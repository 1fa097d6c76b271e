import { existsSync } from 'node:fs';

import { dataDirectoryAt } from '../data-directory.ts';
import { explainSecretPurpose } from '../run/service-environment.ts';
import { StackError } from '../stack-error.ts';
import { readStackRecord } from './stack-record.ts';
import type { StackRecord } from './stack-record.ts';
import { openStackSecret } from '../stack-secret.ts';

/** The record of the running stack; undefined when none is running. */
export function findStack(dataRoot: string): StackRecord | undefined {
  return readStackRecord(dataDirectoryAt(dataRoot).running);
}

/**
 * The secret of the stack's gateway for `pnpm explain`.
 *
 * @throws {StackError} when no stack has created one
 */
export async function readExplainSecret(dataRoot: string): Promise<string> {
  const path = dataDirectoryAt(dataRoot).secret;
  if (!existsSync(path)) {
    throw new StackError(
      `There is no secret: ${dataRoot} holds none, as pnpm start has not run there, and EXPLAIN_SECRET is not set`,
    );
  }
  return (await openStackSecret(path))(explainSecretPurpose);
}
