import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from '@jest/globals';
import { scopesWith } from '@meridian/auth/development';

import { checkout } from '../../src/data-directory.ts';
import { knownScopes } from '../../src/apps/services.ts';

it('knownScopes lists each scope of the supergraph', () => {
  const scopes = scopesWith(readFileSync(join(checkout, 'supergraph.graphql'), 'utf8'));
  expect(knownScopes().toSorted()).toEqual(scopes.toSorted());
});
