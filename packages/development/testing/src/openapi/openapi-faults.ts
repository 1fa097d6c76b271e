import { createConfig, lintFromString } from '@redocly/openapi-core';

/**
 * The findings of Redocly's recommended rules in an OpenAPI document, including warnings: one line for each,
 * with its place. It is the linter of `redocly lint`, without the command's telemetry and update check.
 */
export async function openApiFaults(document: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: document, absoluteRef: 'openapi.json', config });
  return problems.map(
    ({ ruleId, message, location }) => `${location[0]?.pointer ?? ''} ${ruleId}: ${message}`,
  );
}
