// The situations of the planner's own tests of `@defer` (federation: query-planner-js, buildPlan.defer.test.ts): which
// fetches the first result and each fragment wait for, and that the parts are the response without `@defer`.
import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';

import type { OperationPlan } from '../../src/index.ts';
import { mergedByApolloClient, readDeferred } from '../differential/deferred-outcome.ts';
import { createHeldSubgraphs } from '../support/held-subgraphs.ts';
import { plainResolvers } from '../support/plain-resolvers.ts';

interface Situation {
  readonly name: string;
  /** The schemas of the subgraphs a, b, c and d. */
  readonly schemas: readonly string[];
  readonly operation: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** The fetches of the first result: subgraph and path. */
  readonly first: readonly string[];
  /** The fetches of each deferred fragment, in the order of the operation, each with the fetches that it starts after. */
  readonly deferred: readonly (readonly string[])[];
}

const rootAndKey = 'type Query { t: T }  type T @key(fields: "id") { id: ID! }';
const users = 'type Query { me: User }  type User @key(fields: "id") { id: ID!  name: String }';

const situations: readonly Situation[] = [
  {
    name: 'a field of the subgraph that the first result asks too',
    schemas: [rootAndKey, 'type T @key(fields: "id") { id: ID!  v1: Int  v2: Int }'],
    operation: '{ t { v1 ... @defer { v2 } } }',
    first: ['a', 'b t after a'],
    deferred: [['b t after a']],
  },
  {
    name: 'a field of an object without a key: it comes with the first result, and is a part still',
    schemas: [rootAndKey, 'type T @key(fields: "id") { id: ID!  v: V }  type V { a: Int  b: Int }'],
    operation: '{ t { v { a ... @defer { b } } } }',
    first: ['a', 'b t after a'],
    deferred: [[]],
  },
  {
    name: 'an entity that its subgraph does not look up',
    schemas: [
      'type Query { t: T }  type T @key(fields: "id", resolvable: false) { id: ID!  v1: String }',
      'type T @key(fields: "id") { id: ID!  v2: String }',
    ],
    operation: '{ t { ... @defer { v1 } v2 } }',
    first: ['a', 'b t after a'],
    deferred: [[]],
  },
  {
    name: 'an entity below an object without a key',
    schemas: [
      `${rootAndKey}  type U @key(fields: "id") { id: ID!  x: Int }`,
      'type T @key(fields: "id") { id: ID!  v: V }  type V { a: Int  u: U }  type U @key(fields: "id") { id: ID! }',
    ],
    operation: '{ t { v { a ... @defer { u { x } } } } }',
    first: ['a', 'b t after a'],
    deferred: [['a t.v.u after b t']],
  },
  {
    name: 'a field of the only subgraph',
    schemas: ['type Query { t: T }  type T @key(fields: "id") { id: ID!  v0: String  v1: String }'],
    operation: '{ t { v0 ... @defer { v1 } } }',
    first: ['a'],
    deferred: [['a t after a']],
  },
  {
    name: 'fields of several subgraphs',
    schemas: [
      'type Query { t: T }  type T @key(fields: "id") { id: ID!  v0: String  v1: String }',
      'type T @key(fields: "id") { id: ID!  v2: String }',
      'type T @key(fields: "id") { id: ID!  v3: String }',
    ],
    operation: '{ t { v0 ... @defer { v1 v2 v3 } } }',
    first: ['a'],
    deferred: [['a t after a', 'b t after a', 'c t after a']],
  },
  {
    name: 'several fragments, with labels and without',
    schemas: [
      'type Query { t: T }  type T @key(fields: "id") { id: ID!  v0: String  v1: String }',
      'type T @key(fields: "id") { id: ID!  v2: String  v3: U }  type U @key(fields: "id") { id: ID! }',
      'type U @key(fields: "id") { id: ID!  x: Int  y: Int }',
    ],
    operation: `{ t {
      v0
      ... @defer(label: "v1") { v1 }
      ... @defer { v2 }
      v3 { x ... @defer(label: "in v3") { y } }
    } }`,
    first: ['a', 'b t after a', 'c t.v3 after b t'],
    deferred: [['a t after a'], ['b t after a'], ['c t.v3 after b t']],
  },
  {
    name: 'nested fragments of entities in a list',
    schemas: [
      users,
      `type User @key(fields: "id") { id: ID!  messages: [Message] }
       type Message @key(fields: "id") { id: ID!  body: String  author: User }`,
    ],
    operation: `{ me { name ... on User @defer {
      messages { body author { name ... @defer { messages { body } } } }
    } } }`,
    first: ['a'],
    deferred: [['a me.messages.author after b me', 'b me after a'], ['b me.messages.author after b me']],
  },
  {
    name: 'nested fragments of objects without a key',
    schemas: [
      users,
      `type User @key(fields: "id") { id: ID!  messages: [Message] }
       type Message { id: ID!  body: Body }  type Body { paragraphs: [String]  lines: Int }`,
    ],
    operation: '{ me { ... @defer { messages { id ... @defer { body { lines } } } } } }',
    first: ['a'],
    deferred: [['b me after a'], []],
  },
  {
    name: 'a fragment in a fragment of one entity',
    schemas: [users, 'type User @key(fields: "id") { id: ID!  age: Int  address: String }'],
    operation: '{ me { name ... @defer { age ... @defer { address } } } }',
    first: ['a'],
    deferred: [['b me after a'], ['b me after a']],
  },
  {
    name: 'a fragment in a fragment of an object without a key',
    schemas: ['type Query { me: User }  type User { id: ID!  name: String  age: Int  address: String }'],
    operation: '{ me { name ... @defer { age ... @defer { address } } } }',
    first: ['a'],
    deferred: [[], []],
  },
  {
    name: 'the fields of mutations, which run in their order',
    schemas: [
      `type Query { t: T }  type Mutation { update1: T }
       type T @key(fields: "id") { id: ID!  v0: String  v1: String }`,
      'type Mutation { update2: T }  type T @key(fields: "id") { id: ID!  v2: String }',
    ],
    operation: 'mutation { update1 { v0 ... @defer { v1 } } update2 { v1 ... @defer { v0 v2 } } }',
    first: ['a', 'a update2 after b', 'b after a'],
    deferred: [['a update1 after a'], ['a update2 after b', 'b update2 after b']],
  },
  {
    name: 'a key that two fetches of the first result supply',
    schemas: [
      'type Query { t: T }  type T @key(fields: "id0") { id0: ID!  v1: Int }',
      'type T @key(fields: "id0") @key(fields: "id1") { id0: ID!  id1: ID!  v2: Int }',
      'type T @key(fields: "id0") @key(fields: "id2") { id0: ID!  id2: ID!  v3: Int }',
      'type T @key(fields: "id1 id2") { id1: ID!  id2: ID!  v4: Int }',
    ],
    operation: '{ t { v1 v2 v3 ... @defer { v4 } } }',
    first: ['a', 'b t after a', 'c t after a'],
    deferred: [['d t after b t, c t']],
  },
  {
    name: 'a @requires, whose input is deferred with it',
    schemas: [
      'type Query { t: T }  type T @key(fields: "id") { id: ID!  v1: Int }',
      'type T @key(fields: "id") { id: ID!  v2: Int @requires(fields: "v3")  v3: Int @external }',
      'type T @key(fields: "id") { id: ID!  v3: Int }',
    ],
    operation: '{ t { v1 ... @defer { v2 } } }',
    first: ['a'],
    deferred: [['b t after c t', 'c t after a']],
  },
  {
    name: 'a field that the first subgraph provides, which is asked of the other all the same',
    schemas: [
      `type Query { t: T @provides(fields: "v2") }
       type T @key(fields: "id") { id: ID!  v1: Int  v2: Int @external }`,
      'type T @key(fields: "id") { id: ID!  v2: Int @shareable }',
    ],
    operation: '{ t { v1 ... @defer { v2 } } }',
    first: ['a'],
    deferred: [['b t after a']],
  },
  {
    name: 'the query type below a field',
    schemas: [
      'type Query { op1: Int  op2: A }  type A { x: Int  y: Int  next: Query }',
      'type Query { op3: Int  op4: Int }',
    ],
    operation: '{ op2 { x y next { op3 ... @defer { op1 op4 } } } }',
    first: ['a', 'b op2.next after a'],
    deferred: [['a op2.next after a', 'b op2.next after a']],
  },
  {
    name: 'everything',
    schemas: [
      'type Query { t: T }  type T @key(fields: "id") { id: ID!  x: Int }',
      'type T @key(fields: "id") { id: ID!  y: Int }',
    ],
    operation: '{ ... @defer { t { x y } } }',
    first: [],
    deferred: [['a', 'b t after a']],
  },
  {
    name: 'everything in an entity',
    schemas: [
      'type Query { t: T }  type T @key(fields: "id") { id: ID!  x: Int }',
      'type T @key(fields: "id") { id: ID!  y: Int }',
    ],
    operation: '{ t { ... @defer { x y } } }',
    first: ['a'],
    deferred: [['a t after a', 'b t after a']],
  },
  ...[true, false].map((isOn): Situation => ({
    name: `a condition that is ${String(isOn)}`,
    schemas: ['type Query { t: T }  type T @key(fields: "id") { id: ID!  x: Int  y: Int }'],
    operation: 'query ($isOn: Boolean!) { t { x ... @defer(if: $isOn) { y } } }',
    variables: { isOn },
    first: ['a'],
    deferred: isOn ? [['a t after a']] : [],
  })),
  {
    name: 'a condition that is left out',
    schemas: ['type Query { t: T }  type T @key(fields: "id") { id: ID!  x: Int  y: Int }'],
    operation: 'query ($isOn: Boolean) { t { x ... @defer(if: $isOn, label: "y") { y } } }',
    first: ['a'],
    deferred: [['a t after a']],
  },
  {
    name: 'several conditions, of nested fragments too',
    schemas: [
      `type Query { t: T }  type T @key(fields: "id") { id: ID!  x: Int  u: U }
       type U @key(fields: "id") { id: ID!  a: Int }`,
      'type T @key(fields: "id") { id: ID!  y: Int }',
      'type U @key(fields: "id") { id: ID!  b: Int }',
    ],
    operation: `query ($one: Boolean!, $other: Boolean!) { t {
      x
      ... @defer(if: $one, label: "y") { y }
      ... @defer(if: $other, label: "u") { u { a ... @defer(if: $one) { b } } }
    } }`,
    variables: { one: true, other: false },
    first: ['a'],
    deferred: [['b t after a'], ['c t.u after a']],
  },
  {
    name: 'an interface that its subgraphs define differently',
    schemas: [
      `type Query { i: I }  interface I { a: Int  c: Int }
       type T implements I @key(fields: "id") { id: ID!  a: Int  c: Int }`,
      `interface I { b: Int }
       type T implements I @key(fields: "id") { id: ID!  a: Int @external  b: Int @requires(fields: "a") }`,
    ],
    operation: '{ i { a ... on T { b } ... @defer { c } } }',
    first: ['a', 'b i after a'],
    deferred: [[]],
  },
  {
    name: 'a named fragment',
    schemas: [rootAndKey, 'type T @key(fields: "id") { id: ID!  x: Int  y: Int }'],
    operation: '{ t { ...Named @defer } } fragment Named on T { x y }',
    first: ['a'],
    deferred: [['b t after a']],
  },
  {
    name: 'a field that the first result has too, which is fetched once',
    schemas: [rootAndKey, 'type T @key(fields: "id") { id: ID!  x: Int  y: Int  z: Int }'],
    operation: '{ t { x y ...Later @defer } } fragment Later on T { y z }',
    first: ['a', 'b t after a'],
    deferred: [['b t after a']],
  },
  {
    name: 'a __typename',
    schemas: [
      'type Query { t: T }  type T @key(fields: "id") { id: ID!  x: Int }',
      'type T @key(fields: "id") { id: ID!  y: Int }',
    ],
    operation: '{ t { ...OnT @defer x } } fragment OnT on T { y __typename }',
    first: ['a'],
    deferred: [['b t after a']],
  },
  {
    name: 'a field of one type, whose objects come from a subgraph that knows an interface object: what tells the type is not deferred',
    schemas: [
      'type Query { m: Media }  type Media @key(fields: "id") @interfaceObject { id: ID! }',
      `interface Media @key(fields: "id") { id: ID! }
       type Film implements Media @key(fields: "id") { id: ID!  minutes: Int }
       type Book implements Media @key(fields: "id") { id: ID! }`,
    ],
    operation: '{ m { id ... @defer { ... on Film { minutes } } } }',
    first: ['a', 'b m after a'],
    deferred: [[]],
  },
];

const names = ['a', 'b', 'c', 'd'];

describe('@defer', () => {
  it.each(situations)('of $name', async ({ schemas, operation, variables = {}, first, deferred }) => {
    const definitions = schemas.map((sdl, index) => [
      names[index] ?? '',
      { sdl, resolvers: plainResolvers(sdl) },
    ]);
    const subgraphs = createHeldSubgraphs(Object.fromEntries(definitions));
    const document = parse(operation);
    const plan = await subgraphs.executor().prepare({ document }).plan(variables);

    expect(fetchesOf(plan, undefined)).toEqual(first);
    expect(deferred.map((_, fragment) => fetchesOf(plan, fragment))).toEqual(deferred);

    const outcome = await readDeferred(await subgraphs.run(operation, variables));
    const whole = await subgraphs.run(operation, variables, { isDeferring: false });
    const { legacy, alpha9 } = mergedByApolloClient(outcome, document);
    expect(whole).not.toHaveProperty('deferred');
    expect(whole.errors).toEqual([]);
    expect(legacy.at(-1)).toEqual(JSON.parse(whole.data));
    expect(alpha9.at(-1)).toEqual(JSON.parse(whole.data));
    const labels = new Set(outcome.events.flatMap(({ announced }) => announced.map(({ label }) => label)));
    expect([...labels].filter((label) => label !== undefined && !operation.includes(`"${label}"`))).toEqual(
      [],
    );
    expect(new Set(outcome.events.flatMap(({ announced }) => announced)).size > 0).toBe(deferred.length > 0);
  });
});

/** The fetches that a fragment waits for, with those that each starts after; without a number, of the first result. */
function fetchesOf({ order, root }: OperationPlan, fragment: number | undefined): readonly string[] {
  if (order === undefined) {
    return fragment === undefined && root?.kind === 'fetch' ? [nameOf(root)] : [];
  }
  return order
    .filter((one) => one.fragment === fragment)
    .map(({ fetch, after }) => {
      const earlier = after.map(nameOf).toSorted().join(', ');
      return earlier === '' ? nameOf(fetch) : `${nameOf(fetch)} after ${earlier}`;
    })
    .toSorted();
}

function nameOf({ subgraph, path }: { subgraph: string; path: readonly { name: string }[] }): string {
  return [subgraph, path.map(({ name }) => name).join('.')].filter((part) => part !== '').join(' ');
}
