import { expect, it } from '@jest/globals';
import { allScopes } from '@meridian/auth';
import { scopesWith } from '@meridian/auth/development';

it('scopesWith finds every scope of every set, on one line or several, once', () => {
  const schema = `
    type Query {
      stock: Int @requiresScopes(scopes: [["inventory:read"], ["inventory:write", "orders:read"]])
      all: Int
        @requiresScopes(
          scopes: [["inventory:admin"], ["inventory:read"]]
        )
    }`;
  expect(scopesWith(schema)).toEqual([...allScopes, 'inventory:read', 'inventory:write', 'inventory:admin']);
});
