import { describe, expect, it } from '@jest/globals';
import { loadSupergraph } from '@meridian/executor';

import { cacheTags, entityTag, namedTag } from '../../src/response-cache/cache-tags.ts';
import { readQuery } from '../../src/response-cache/cached-query.ts';
import { compose } from '../support/compose.ts';

const sdl = `
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.12", import: ["@key", "@cacheTag"])
  type Query {
    user(id: ID!, area: Area): User @cacheTag(format: "profile") @cacheTag(format: "user-{$args.id}")
    users(first: Int = 5): [User!]! @cacheTag(format: "users-{$args.first}")
    near(area: Area!): [User!]! @cacheTag(format: "near-{$args.area.country}")
  }
  input Area { country: String! }
  type User @key(fields: "id country { code }") @cacheTag(format: "user-{$key.id}-{$key.country.code}") {
    id: ID!
    country: Country!
    name: String
  }
  type Country { code: String! }
`;

const supergraph = loadSupergraph(compose([{ name: 'users', routingUrl: 'http://users', sdl }]));
const tags = cacheTags(supergraph, 'users');

function tagsOf(text: string, variables: object = {}): readonly string[] {
  const fields = readQuery(text, supergraph.schema)?.rootFields ?? [];
  return tags.ofRootFields(fields, variables as Readonly<Record<string, unknown>>);
}

describe('@cacheTag, as composition keeps it', () => {
  it.each([
    ['a constant, and an argument', '{ user(id: 7) { name } }', {}, ['profile', 'user-7']],
    ['a variable', 'query ($id: ID!) { a: user(id: $id) { name } }', { id: 'x' }, ['profile', 'user-x']],
    ['a default', '{ users { name } }', {}, ['users-5']],
    ['a path', '{ near(area: { country: "dk" }) { name } }', {}, ['near-dk']],
    [
      'nothing for a missing value',
      'query ($first: Int) { users(first: $first) { name } }',
      { first: null },
      [],
    ],
  ])('of root fields: %s', (_what, text, variables, names) => {
    expect(tagsOf(text, variables)).toEqual(['type:Query', ...names.map(namedTag)]);
  });

  it('of entities, and their keys, whatever the order of members, and numbers as texts', () => {
    const representation = { __typename: 'User', country: { code: 'dk', __typename: 'Country' }, id: 7 };
    expect(tags.ofEntity(representation)).toEqual([
      'type:User',
      entityTag('User', { id: '7', country: { code: 'dk' } }),
      namedTag('user-7-dk'),
    ]);
    expect(tags.ofEntity({ __typename: 'User', id: 7 })).toEqual(['type:User']);
  });

  it('is of its subgraph alone', () => {
    expect(
      cacheTags(supergraph, 'others').ofEntity({ __typename: 'User', id: 7, country: { code: 'dk' } }),
    ).toEqual(['type:User']);
  });
});

describe('readQuery', () => {
  it.each([
    'mutation { a }',
    '{ user(id: 1) { name } ',
    'query A { a } query B { b }',
    'query ($a: [_Any!]!, $b: [_Any!]!) { a: _entities(representations: $a) { __typename } b: _entities(representations: $b) { __typename } }',
    '{ ... on Query { users { name } } }',
  ])('leaves alone %s', (text) => {
    expect(readQuery(text, supergraph.schema)).toBeUndefined();
  });

  it('tells apart the types of fields', () => {
    const other = compose([
      { name: 'users', routingUrl: 'http://users', sdl: sdl.replace('name: String', 'name: String!') },
    ]);
    const text = '{ users { name } }';
    const changed = loadSupergraph(other).schema;
    expect(readQuery(text, changed)?.digest).not.toEqual(readQuery(text, supergraph.schema)?.digest);
    expect(readQuery('{ users { id } }', changed)).toEqual(readQuery('{ users { id } }', supergraph.schema));
  });
});
