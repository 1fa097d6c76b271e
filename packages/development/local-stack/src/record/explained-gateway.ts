import { existsSync } from 'node:fs';

import { dataDirectoryAt } from '../data-directory.ts';
import { explainSecretPurpose } from '../run/service-environment.ts';
import { StackError } from '../stack-error.ts';
import { readStackRecord } from './stack-record.ts';
import { openStackSecret } from '../stack-secret.ts';

/** The admin listener of the running stack's gateway, without a path; undefined when no stack is running. */
export function findGatewayAdmin(dataRoot: string): string | undefined {
  return readStackRecord(dataDirectoryAt(dataRoot).running)?.gatewayAdminUrl;
}

/** The URL of the running stack's graph endpoint; undefined when no stack is running. */
export function findGraphUrl(dataRoot: string): string | undefined {
  return readStackRecord(dataDirectoryAt(dataRoot).running)?.graphUrl;
}

/** The URL of the running stack's accounts service; undefined when no stack is running. */
export function findAccountsUrl(dataRoot: string): string | undefined {
  return readStackRecord(dataDirectoryAt(dataRoot).running)?.accountsUrl;
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
