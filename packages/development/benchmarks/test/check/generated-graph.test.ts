import { describe, expect, it } from '@jest/globals';
import { apiSchemaOf, composeSupergraph } from '@meridian/composition';
import type { SubgraphSchema } from '@meridian/composition';
import type { GraphQLSchema } from 'graphql';
import { isIntrospectionType, isSpecifiedScalarType, parse, validate } from 'graphql';

import { generateManifest } from '../../src/check/generate-manifest.ts';
import { generateSubgraphs } from '../../src/check/generate-subgraphs.ts';
import { plant, plantedChanges } from '../../src/check/planted-changes.ts';

const size = { subgraphs: 10, types: 100 };
const subgraphs = generateSubgraphs(size);

describe('The generated graph of pnpm bench check', () => {
  it('has as many types as asked for, and operations that are valid', () => {
    const schema = apiSchema(subgraphs);
    const types = Object.values(schema.getTypeMap()).filter(
      (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
    );
    expect(types).toHaveLength(size.types + 1);
    const { operations }: { operations: { body: string }[] } = JSON.parse(generateManifest(40, size));
    expect(new Set(operations.map(({ body }) => body)).size).toBe(40);
    expect(operations.flatMap(({ body }) => validate(schema, parse(body)))).toEqual([]);
  });

  it.each([...plantedChanges])('composes with %s', (_name, changes) => {
    const planted = plant(changes, subgraphs);
    expect(planted.filter((one, index) => one.sdl !== subgraphs[index]?.sdl)).toHaveLength(changes.length);
    expect(() => apiSchema(planted)).not.toThrow();
  });

  it('refuses a planted change whose text is not there', () => {
    const [change] = plantedChanges.get('a new key') ?? [];
    expect(() => plant(change ? [{ ...change, edit: ['type Gone', ''] }] : [], subgraphs)).toThrow(
      'Cannot change subgraph0: it does not have "type Gone" exactly once',
    );
  });
});

function apiSchema(composed: readonly SubgraphSchema[]): GraphQLSchema {
  const { supergraphSdl, errors } = composeSupergraph(composed);
  if (errors !== undefined) {
    throw new Error(errors.map(({ message }) => message).join('\n'));
  }
  return apiSchemaOf(supergraphSdl);
}
