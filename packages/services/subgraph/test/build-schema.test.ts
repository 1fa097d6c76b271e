import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { buildSchema } from '../src/schema/build-schema.ts';
import { thingsResolvers, thingsSchema } from './fixtures/things.ts';

const resolvers = thingsResolvers({ notes: [], batches: [] });

describe('buildSchema', () => {
  let directory: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'meridian-schema-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  /** Builds a schema that has the federation link on its first line. */
  async function build(sdl: string, of: Record<string, Record<string, () => unknown>>) {
    const file = join(directory, 'test.graphql');
    const link = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.14", import: ["@key"])';
    await writeFile(file, `${link}\n${sdl}`);
    return buildSchema(pathToFileURL(file), of);
  }

  it('joins the schema with its resolvers', () => {
    expect(buildSchema(thingsSchema, resolvers).getQueryType()?.getFields()['secret']?.resolve).toBe(
      resolvers.Query.secret,
    );
  });

  it('names the subscription whose resolver has no subscribe', async () => {
    const sdl = 'type Query { a: Int } type Subscription { a: Int }';
    await expect(build(sdl, { Query: { a: () => 1 }, Subscription: { a: () => 1 } })).rejects.toThrow(
      /test\.graphql has Subscription\.a, whose resolver has no subscribe$/,
    );
  });

  it('names the root field without a resolver, with its place', () => {
    const { slow: _slow, ...Query } = resolvers.Query;
    expect(() => buildSchema(thingsSchema, { ...resolvers, Query })).toThrow(
      /things\.graphql:15:3 Query\.slow has no resolver$/,
    );
  });

  it('names the entity that has no reference resolver', () => {
    expect(() => buildSchema(thingsSchema, { ...resolvers, Thing: {} })).toThrow(
      /things\.graphql:22:6 Thing is an entity, and has no __resolveReference$/,
    );
  });

  it('names the entity that is not registered, and where to register it', () => {
    const { Thing: _Thing, ...others } = resolvers;
    expect(() => buildSchema(thingsSchema, others)).toThrow(
      /things\.graphql:22:6 Thing is an entity, and has no resolvers: add Thing to the resolvers in src\/app\.ts, with a __resolveReference$/,
    );
  });

  it.each([
    ['there is no key', 'type A { id: ID! }'],
    ['its key is for others to resolve', 'type A @key(fields: "id", resolvable: false) { id: ID! }'],
  ])('names the __resolveReference that is never called, when %s', async (_why, type) => {
    const of = { Query: { a: () => ({}) }, A: { __resolveReference: () => ({}) } };
    await expect(build(`type Query { a: A } ${type}`, of)).rejects.toThrow(
      /test\.graphql has no @key on A, for which there is a __resolveReference$/,
    );
  });

  it('names the resolver without a field', () => {
    const Thing = { ...resolvers.Thing, nmae: () => 'typo' };
    expect(() => buildSchema(thingsSchema, { ...resolvers, Thing })).toThrow(
      /things\.graphql has no Thing\.nmae, for which there is a resolver$/,
    );
  });

  it('reports all faults at once', () => {
    expect(() => buildSchema(thingsSchema, { Query: { a: () => 1 } })).toThrow(
      /thing has no resolver\n(.*\n)*.*Mutation\.note has no resolver\n.*Thing is an entity.*\n.*no Query\.a/,
    );
  });

  it.each([
    ['a field with arguments', 'type Query { a: A } type A { b(c: Int): Int }', 'A.b'],
    [
      'a field that requires a field of another subgraph',
      'type Query { a: A } type A { c: Int @external b: Int @requires(fields: "c") }',
      'A.b',
    ],
    ['a field that returns an object', 'type Query { a: A } type A { b: [A!]! }', 'A.b'],
  ])('requires a resolver for %s', async (_what, sdl, field) => {
    await expect(build(sdl, { Query: { a: () => ({}) } })).rejects.toThrow(`${field} has no resolver`);
  });

  it('requires no resolver for a default field, nor for a key that other subgraphs resolve', async () => {
    const sdl = 'type Query { a: A } type A @key(fields: "id", resolvable: false) { id: ID! b: [Int] }';
    await expect(build(sdl, { Query: { a: () => ({}) } })).resolves.toBeDefined();
  });

  it.each([
    ['@policy', 'type Query { a: Int @policy(policies: [["p"]]) }', '2:21 @policy would not be enforced'],
    [
      'a directive by its full name',
      'type Query { a: Int @federation__requiresScopes(scopes: [["s"]]) }',
      '2:21 @federation__requiresScopes would not be enforced',
    ],
    [
      'a directive under another name',
      'extend schema @link(url: "https://specs.apollo.dev/federation/v2.14", import: [{ name: "@requiresScopes", as: "@needs" }])',
      '2:15 @requiresScopes is imported under another name and would not be enforced',
    ],
  ])('refuses %s, which would guard nothing', async (_what, sdl, fault) => {
    await expect(build(sdl, { Query: { a: () => 1 } })).rejects.toThrow(`test.graphql:${fault}`);
  });

  it.each([
    ['a syntax error', 'type Query { a: }', 'Expected Name, found "}"', '2:17'],
    [
      'an unknown type',
      'type Query { a: Int } type A @key(fields: "b") { b: [Nothing] @deprecated }',
      'Unknown type Nothing',
      '2:54',
    ],
    [
      'a key without its field',
      'type Query { a: Int } type A @key(fields: "c") { b: Int }',
      'field "c"',
      '2:',
    ],
  ])('names the place of %s', async (_what, sdl, message, place) => {
    const failure = build(sdl, { Query: { a: () => 1 }, A: { b: () => 1, __resolveReference: () => null } });
    await expect(failure).rejects.toMatchObject({
      name: 'SchemaError',
      message: expect.stringMatching(new RegExp(`${message}[^]*test\\.graphql:${place}`)),
    });
  });
});
