import { describe, expect, it } from '@jest/globals';
import { buildSchema } from 'graphql';

import { fieldTypeName } from '../../src/supergraph/schema-types.ts';

describe('fieldTypeName', () => {
  it('gives none for a type without fields, also for a name that every object of JavaScript has', () => {
    const schema = buildSchema('type Query { u: U } type A { constructor: Int } union U = A');
    expect(fieldTypeName(schema, 'A', 'constructor')).toBe('Int');
    expect(fieldTypeName(schema, 'U', 'constructor')).toBeUndefined();
    expect(fieldTypeName(schema, 'Absent', 'constructor')).toBeUndefined();
  });
});
