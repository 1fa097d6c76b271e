import { createConfig, lintFromString } from '@redocly/openapi-core';

/**
 * The findings of Redocly's recommended rules in an OpenAPI document, including warnings: one line for each,
 * with its place. It is the linter of `redocly lint`, without the command's telemetry and update check. And the patterns
 * that validators in other languages do not take: `\p` (Python), look-around (Go, Rust).
 */
export async function openApiFaults(document: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: document, absoluteRef: 'openapi.json', config });
  const patterns = new Set(document.match(/"pattern":"(?:[^"\\]|\\.)*"/gu));
  return [
    ...problems.map(({ ruleId, message, location }) => `${location[0]?.pointer ?? ''} ${ruleId}: ${message}`),
    ...[...patterns].filter((pattern) => /\\\\[pP]\{|\(\?<?[=!]/u.test(pattern)),
  ];
}
