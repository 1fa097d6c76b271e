// Unions and interfaces whose types differ among the subgraphs that resolve one field. One schema of everything is the
// judge.
import { describe, expect, it } from '@jest/globals';
import { graphqlSync } from 'graphql';

import type { SubgraphDefinition } from '../support/stub-subgraph.ts';
import { useFederation } from '../support/federation.ts';
import { executors } from '../support/reference/reference-executor.ts';

const movie = { __typename: 'Movie', id: 'm1', minutes: 95, rating: 4, name: 'Heat', label: 'a film' };
const data = {
  media: () => movie,
  shelf: () => [movie, null],
  draft: () => null,
  drafts: () => [],
  favourite: () => ({ ...movie, sequel: movie }),
};
const movieIn = { __resolveReference: () => ({ ...movie, sequel: movie }) };

/** It knows movies only, and of labelled things nothing but that there are some. */
const screen: SubgraphDefinition = {
  sdl: `
    type Query { media: Media @shareable  shelf: [Media]! @shareable  draft: Labelled  drafts: [Labelled!]! }
    type Mutation { publish: Labelled }
    union Media = Movie
    type Movie @key(fields: "id") { id: ID!  minutes: Int  sequel: Media @shareable }
    interface Labelled { id: ID! }
  `,
  resolvers: { Query: data, Mutation: { publish: () => null }, Movie: movieIn },
};
const library: SubgraphDefinition = {
  sdl: `
    type Query { media: Media @shareable  shelf: [Media]! @shareable  favourite: Movie }
    union Media = Movie | Song
    interface Labelled { id: ID!  label: String }
    type Movie implements Labelled @key(fields: "id") {
      id: ID!  rating: Int  name: String  label: String  sequel: Media @shareable
    }
    type Song implements Labelled @key(fields: "id") { id: ID!  title: String!  label: String  covers: [Media!]! }
  `,
  resolvers: { Query: data, Movie: movieIn },
};
const operations = [
  '{ media { ... on Song { title } } }',
  '{ media { ... on Movie { rating } ... on Song { title } } }',
  '{ shelf { ... on Movie { minutes rating } ... on Song { title covers { ... on Movie { minutes } } } } }',
  '{ shelf { ... on Labelled { label ... on Song { title } } ... on Movie { name } } }',
  '{ favourite { sequel { ... on Song { title } } } }',
  '{ favourite { minutes sequel { ... on Song { title } ... on Movie { rating sequel { ... on Song { title } } } } } }',
  '{ favourite { rating sequel { ... on Labelled { ... on Song { covers { ... on Song { title } } } } } } }',
  '{ draft { label } }',
  '{ draft { id label ... on Song { title } } drafts { ... on Movie { rating sequel { ... on Song { title } } } } }',
  '{ drafts { label } }',
  'mutation { publish { label } }',
];

describe.each(executors)(
  'On types that differ between subgraphs, %s answers like one server of the whole schema',
  (_name, create) => {
    const federation = useFederation({ screen, library }, { create });

    it.each(operations)('%s', async (operation) => {
      const expected = graphqlSync({
        schema: federation.supergraph.apiSchema,
        source: operation,
        rootValue: { ...data, publish: () => null },
      });
      expect(await federation.dataOf(operation)).toEqual(expected.data);
    });

    it('and fetches an object of which nothing that was selected can occur', async () => {
      const { root } = await federation.plan('mutation { publish { label } }');
      expect(root).toMatchObject({
        subgraph: 'screen',
        text: expect.stringContaining('publish{__typename}'),
      });
    });
  },
);
