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
  ['an unknown directive of the schema', ['extend schema @nope', 'type Query { a: Int }'], [2]],
  ['an extension of no type', ['type Query { a: Int }', 'extend type W { a: Int }'], [3]],
  ['a link without a version', ['extend schema @link(url: "https://x/a/b")', 'type Query { a: Int }'], [2]],
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

  it('names the subgraphs between which clients cannot get a field, and the field', () => {
    const sound = [link, 'type Query { w: W }', 'type W @key(fields: "id") { id: ID }'];
    const faulty = [link, 'type W @key(fields: "id", resolvable: false) {', 'id: ID', 'b: Int }'];
    expect(issuesOf({ faulty, sound })).toEqual([
      ['SATISFIABILITY_ERROR', expect.stringContaining('cannot find field "W.b"'), ['sound 3', 'faulty 4']],
    ]);
  });

  it('has an issue of what composition throws, which names the subgraph or the line', () => {
    const both = '"@key", "@shareable", "@listSize"';
    const schema = [
      `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: [${both}])`,
    ];
    const first = [
      ...schema,
      'type Query { l(a: Int): [ID] @shareable',
      '@listSize(slicingArguments: ["a"]) }',
    ];
    const second = [...schema, 'type Query { l(b: Int): [ID] @shareable }'];
    expect(issuesOf({ first, second })).toEqual([
      ['COMPOSITION_FAILED', expect.stringContaining('"a" is not an argument of "Query.l"'), ['first 2']],
    ]);

    const core = ['directive @core(feature: String!) repeatable on SCHEMA', 'type Query { a: Int }'];
    const old = [...core, 'extend schema @core(feature: "https://specs.apollo.dev/core/v0.2")'];
    expect(issuesOf({ old, sound: [link, 'type Query { b: Int }'] })).toEqual([
      ['COMPOSITION_FAILED', expect.stringContaining('in subgraph "old"'), []],
    ]);
  });
});

/** Code, message, and each place as its subgraph and line. */
function issuesOf(schemas: Readonly<Record<string, readonly string[]>>) {
  const subgraphs = Object.entries(schemas).map(([name, lines]) => ({
    name,
    routingUrl: `http://127.0.0.1/${name}`,
    sdl: lines.join('\n'),
  }));
  return composeSupergraph(subgraphs).errors?.map(({ code, message, locations }) => [
    code,
    message,
    locations.map(({ subgraph, start }) => `${subgraph} ${start.line}`),
  ]);
}
