import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { scopesWith } from '@meridian/auth/development';

import { checkout } from '../data-directory.ts';
import { readExternalSubgraphs, readSubgraphNames } from './services.ts';

/** All scopes in use: the services' scopes, then further ones in the subgraphs' schemas. */
export function knownScopes(): string[] {
  const schemas = [...readSubgraphNames(), ...readExternalSubgraphs().map(({ name }) => name)]
    .map((name) => join(checkout, 'apps', name, 'schema.graphql'))
    // A missing schema has no scopes; the composition reports it.
    .filter((path) => existsSync(path))
    .map((path) => readFileSync(path, 'utf8'));
  return scopesWith(schemas.join('\n'));
}
