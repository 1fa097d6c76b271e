import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';

import { checkout } from '../../src/data-directory.ts';
import { knownScopes, scopesIn } from '../../src/apps/known-scopes.ts';

describe('knownScopes', () => {
  it('lists each scope of the supergraph, once', () => {
    const scopes = knownScopes();
    const required = scopesIn(readFileSync(join(checkout, 'supergraph.graphql'), 'utf8'));
    expect(required.length).toBeGreaterThan(0);
    expect(scopes).toEqual(expect.arrayContaining(required));
    expect(new Set(scopes).size).toBe(scopes.length);
  });
});

describe('scopesIn', () => {
  it('finds every scope of every set, on one line or several', () => {
    const schema = `
      type Query {
        stock: Int @requiresScopes(scopes: [["inventory:read"], ["inventory:write", "orders:read"]])
        all: Int
          @requiresScopes(
            scopes: [["inventory:admin"]]
          )
      }`;
    expect(scopesIn(schema)).toEqual(['inventory:read', 'inventory:write', 'orders:read', 'inventory:admin']);
  });
});
