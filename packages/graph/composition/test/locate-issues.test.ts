import { composeSupergraph } from '@meridian/composition';
import { describe, expect, it } from '@jest/globals';

/** Line 1 of each schema. */
const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@inaccessible"])';

/** Fault → the lines after the first, and the numbers of those at fault. */
const faults: readonly (readonly [fault: string, lines: readonly string[], at: readonly number[]])[] = [
  ['a field twice', ['type Query {', 'a: Int', 'a: String', '}'], [3, 4]],
  ['a field again in an extension', ['type Query { a: Int }', 'extend type Query { a: Int }'], [2, 3]],
  ['a type twice', ['type Query { a: W }', 'type W { a: Int }', 'type W { b: Int }'], [3, 4]],
  ['an input field twice', ['type Query { a(i: I): Int }', 'input I {', 'b: Int', 'b: Int', '}'], [4, 5]],
  ['a directive twice', ['directive @x on ENUM', 'directive @x on ENUM', 'type Query { a: Int }'], [2, 3]],
  ['a directive repeated', ['type Query { a: Int', '@inaccessible', '@inaccessible }'], [3, 4]],
  ['a directive at the wrong place', ['type Query { a: E }', 'enum E', '@key(fields: "a")', '{ A }'], [4]],
  ['an argument missing', ['type Query { a: W }', 'type W @key { id: ID }'], [3]],
  ['an unknown type', ['type Query {', 'a: Nope }'], [3]],
  ['an unknown directive', ['type Query {', 'a: Int @nope }'], [3]],
  ['a type without fields', ['type Query { a: W }', 'type W'], [3]],
];

describe('composeSupergraph, for a fault inside a subgraph,', () => {
  it.each(faults)('names the lines of %s', (_fault, lines, at) => {
    const { errors = [] } = composeSupergraph([
      { name: 'faulty', routingUrl: 'http://127.0.0.1/faulty', sdl: [link, ...lines].join('\n') },
      { name: 'sound', routingUrl: 'http://127.0.0.1/sound', sdl: 'type Query { sound: Int }' },
    ]);
    const [error] = errors;
    expect(errors).toHaveLength(1);
    expect(error?.message).toMatch(/^\[faulty\] /u);
    expect(error?.locations.map(({ subgraph, start }) => [subgraph, start.line])).toEqual(
      at.map((line) => ['faulty', line]),
    );
  });

  it('names the lines of each of several', () => {
    const sdl = [link, 'type Query { a: W }', 'type W @key(fieldz: "id") { id: ID }'].join('\n');
    const { errors = [] } = composeSupergraph([{ name: 'faulty', routingUrl: 'http://127.0.0.1/', sdl }]);
    expect(errors.map(({ locations }) => locations.map(({ start }) => start.line))).toEqual([[3], [3]]);
  });
});
