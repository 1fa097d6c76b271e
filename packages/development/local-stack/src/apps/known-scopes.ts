import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { allScopes } from '@meridian/auth';

import { checkout } from '../data-directory.ts';
import { readExternalSubgraphs, readSubgraphNames } from './services.ts';

/** All scopes in use: the services' scopes, then further ones in the subgraphs' schemas. */
export function knownScopes(): string[] {
  const named = [...readSubgraphNames(), ...readExternalSubgraphs().map(({ name }) => name)]
    .map((name) => join(checkout, 'apps', name, 'schema.graphql'))
    // A missing schema has no scopes; the composition reports it.
    .filter((path) => existsSync(path))
    .flatMap((path) => scopesIn(readFileSync(path, 'utf8')));
  return [...new Set([...allScopes, ...named])];
}

/** The scopes in each `@requiresScopes` of a schema. */
export function scopesIn(schema: string): string[] {
  return Array.from(schema.matchAll(/@requiresScopes\((?<sets>[^()]*)\)/gu), ({ groups }) =>
    Array.from(
      (groups?.['sets'] ?? '').matchAll(/"(?<scope>[^"]+)"/gu),
      (match) => match.groups?.['scope'] ?? '',
    ),
  ).flat();
}
