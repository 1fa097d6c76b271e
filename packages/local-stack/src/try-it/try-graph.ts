/** Commands that run one persisted query: by POST, and by GET, whose response may be cached. */
export function tryGraph(graphUrl: string, identifier: string): string[] {
  return [
    '# Ask the graph for the best-sellers, by the identifier of a persisted query',
    `QUERY='{"persistedQuery": {"version": 1, "sha256Hash":`,
    `  "${identifier}"}}'`,
    `curl -iw '\\n' ${graphUrl} -H "Authorization: Bearer $TOKEN" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"variables": {"first": 2}, "extensions": '"$QUERY"'}'`,
    '',
    '# The same by GET, which may be cached as its Cache-Control says',
    `curl -iGw '\\n' ${graphUrl} -H "Authorization: Bearer $TOKEN" \\`,
    `  -H 'Apollo-Require-Preflight: true' \\`,
    `  --data-urlencode "extensions=$QUERY" \\`,
    `  --data-urlencode 'variables={"first": 2}'`,
  ];
}
