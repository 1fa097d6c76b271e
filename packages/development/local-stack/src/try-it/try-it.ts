import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { checkout } from '../data-directory.ts';

export interface TryItOptions {
  /** A token of alice, of the tenant acme. */
  readonly token: string;
  readonly tokenTtlHours: number;
  readonly accountsUrl: string;
  /** The identifier of an account that does not exist yet. */
  readonly accountId: string;
  readonly graphUrl: string;
  /** The identifier of the operation TopProducts. */
  readonly queryIdentifier: string;
}

/** Lines to paste into bash: the token, then requests to try. */
export function tryIt({
  token,
  tokenTtlHours,
  accountsUrl,
  accountId,
  graphUrl,
  queryIdentifier,
}: TryItOptions): string[] {
  return [
    `# Who is asking: alice, of the tenant acme, for ${tokenTtlHours} hours`,
    `export TOKEN=${token}`,
    '',
    ...tryAccounts(accountsUrl, accountId),
    '',
    ...tryGraph(graphUrl, queryIdentifier),
  ];
}

/** Commands that create an account, then read it and write it under conditions. */
function tryAccounts(baseUrl: string, accountId: string): string[] {
  const account = `${baseUrl}/accounts/${accountId}`;
  return [
    '# Create an account: 201',
    `curl -i ${baseUrl}/accounts -H "Authorization: Bearer $TOKEN" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"id": "${accountId}", "balance_minor_units": 1250}' -w '\\n'`,
    '',
    '# Its ETag identifies the version that was read',
    `ETAG=$(curl -sI ${account} \\`,
    '  -H "Authorization: Bearer $TOKEN" |',
    `  grep -i '^etag:' | cut -c7- | tr -d '\\r')`,
    '',
    '# Read it again, only if it has changed: 304',
    `curl -iw '\\n' ${account} \\`,
    '  -H "Authorization: Bearer $TOKEN" -H "If-None-Match: $ETAG"',
    '',
    '# Write it, only if it is unchanged: 200, with a new ETag',
    `curl -iw '\\n' -X PUT ${account} \\`,
    '  -H "Authorization: Bearer $TOKEN" -H "If-Match: $ETAG" \\',
    `  -H 'Content-Type: application/json' -d '{"balance_minor_units": 900}'`,
  ];
}

/** Commands that run one persisted query: by POST, and by GET, whose response may be cached. */
function tryGraph(graphUrl: string, identifier: string): string[] {
  return [
    '# Ask the graph for the best-sellers, by the identifier of a persisted query',
    `QUERY='{"persistedQuery": {"version": 1, "sha256Hash":`,
    `  "${identifier}"}}'`,
    `curl -i ${graphUrl} -H "Authorization: Bearer $TOKEN" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"variables": {"first": 2}, "extensions": '"$QUERY"'}' -w '\\n'`,
    '',
    '# The same by GET, which may be cached as its Cache-Control says',
    `curl -iG ${graphUrl} -H "Authorization: Bearer $TOKEN" \\`,
    `  -H 'Apollo-Require-Preflight: true' \\`,
    `  --data-urlencode "extensions=$QUERY" \\`,
    `  --data-urlencode 'variables={"first": 2}' -w '\\n'`,
  ];
}

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
