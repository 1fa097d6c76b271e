/** Commands that run one persisted query: by POST, and by GET, whose response may be cached. */
export function tryGraph(graphUrl: string, identifier: string): string[] {
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
