// The words of a requirement: clients, `pnpm who`, `pnpm graph` and `pnpm check` all read the same.
import { describe, expect, it } from '@jest/globals';
import { loadSupergraph } from '@meridian/executor';

import { createReadFieldFigures } from '../../src/figures/field-figures.ts';
import { createReadFigures } from '../../src/figures/operation-figures.ts';
import { compose } from '../support/compose.ts';

const supergraphSdl = compose([
  {
    name: 'one',
    routingUrl: 'http://127.0.0.1/one',
    sdl: `extend schema
        @link(url: "https://specs.apollo.dev/federation/v2.14", import: ["@authenticated", "@policy", "@requiresScopes"])
      type Query {
        token: Int @authenticated
        scope: Int @requiresScopes(scopes: [["a"]])
        scopes: Int @requiresScopes(scopes: [["a", "b"], ["c"]])
        policy: Int @policy(policies: [["p"]])
        public: Int
      }`,
  },
]);
const supergraph = loadSupergraph(supergraphSdl);

describe('A requirement in words', () => {
  it.each([
    ['token', 'a token'],
    ['scope', 'the scope a'],
    ['scopes', 'the scopes a and b or the scope c'],
    ['policy', 'the policy p'],
    ['public', undefined],
  ])('is the same for a field and for an operation that selects it: %s', (field, text) => {
    expect(createReadFieldFigures(supergraph)('Query', field).requires).toBe(text);
    const figures = createReadFigures(undefined)(supergraph)(`query Q { ${field} }`);
    expect(figures?.requirements.map((requirement) => requirement.text)).toEqual(
      text === undefined ? [] : [text],
    );
  });
});
