// Generated schemas, far larger and odder than real ones: the check ends with a result.
import { describe, expect, it } from '@jest/globals';
import type { Graph } from '../src/changes/graph.ts';

import { checkSmall, smallGraph } from './support/small-graph.ts';

function graphOf(definitions: string): Graph {
  return smallGraph({ a: definitions });
}

function times(count: number, text: (index: number) => string): string {
  return Array.from({ length: count }, (_none, index) => text(index)).join('\n');
}

describe('A check of a hostile schema', () => {
  it('ends with 10 000 fields, of which half are removed', async () => {
    // In ten types: composition takes quadratic time over the fields of one.
    const graphWith = (count: number): Graph =>
      graphOf(
        `type Query { ${times(10, (type) => `t${type}: T${type}`)} }
        ${times(10, (type) => `type T${type} { ${times(count, (index) => `f${index}: Int`)} }`)}`,
      );
    const { verdict, counts } = await checkSmall(graphWith(1000), graphWith(500), { F: '{ t9 { f999 } }' });
    expect({ verdict, breaking: counts.breaking }).toEqual({ verdict: 'fails', breaking: 5000 });
  });

  it('ends with inputs that contain each other, in a circle and all of all', async () => {
    const inputs = (type: string): string =>
      times(
        30,
        (index) => `input I${index} { ${times(30, (other) => `i${other}: I${other}`)} leaf: ${type} }`,
      );
    const [before, after] = ['Int', 'Int!'].map((type) =>
      graphOf(`type Query { f(in: I0): Int } ${inputs(type)}`),
    );
    if (before === undefined || after === undefined) {
      throw new Error('There is no graph');
    }
    const { verdict, changes } = await checkSmall(before, after, { F: '($in: I0) { f(in: $in) }' });
    expect(verdict).toBe('undecided');
    expect(changes.filter(({ kind }) => kind === 'INPUT_FIELD_TYPE_CHANGED')).toHaveLength(30);
  });

  it('ends with an operation through a long circle of types', async () => {
    const circle = (last: string): Graph =>
      graphOf(
        `type Query { t0: T0 } ${times(200, (index) => `type T${index} { t: T${(index + 1) % 200} leaf: ${index === 199 ? last : 'Int'} }`)}`,
      );
    const text = `{ t0 ${'{ t '.repeat(199)} { leaf } ${'}'.repeat(199)} }`;
    const { changes } = await checkSmall(circle('Int'), circle('String'), { Deep: text });
    expect(changes).toContainEqual(
      expect.objectContaining({ kind: 'FIELD_TYPE_CHANGED', coordinate: 'T199.leaf', verdict: 'fails' }),
    );
  });

  it('ends with odd names, and shows them as they are', async () => {
    const before = graphOf('type Query { constructor: Int hasOwnProperty: Int toString: Int f: Int }');
    const { changes } = await checkSmall(before, graphOf('type Query { f: Int valueOf: Int }'), {
      Odd: '{ constructor hasOwnProperty toString }',
    });
    expect(changes.map(({ kind, coordinate }) => `${kind} ${coordinate}`)).toEqual(
      expect.arrayContaining([
        'FIELD_REMOVED Query.constructor',
        'FIELD_REMOVED Query.hasOwnProperty',
        'FIELD_REMOVED Query.toString',
        'FIELD_ADDED Query.valueOf',
      ]),
    );
  });
});
