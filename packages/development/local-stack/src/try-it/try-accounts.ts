/** Commands that create an account, then read it and write it under conditions. */
export function tryAccounts(baseUrl: string, accountId: string): string[] {
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
