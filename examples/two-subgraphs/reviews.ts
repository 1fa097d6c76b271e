import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';

const typeDefs = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])

  type Query {
    latestReview: Review
  }

  type Review {
    stars: Int!
    text: String!
    book: Book!
  }

  "A type of the subgraph books, to which this one adds a field."
  type Book @key(fields: "id") {
    id: ID!
    reviews: [Review!]!
  }
`);

const reviews = [
  { bookId: '1', stars: 5, text: 'Slow, and then not.' },
  { bookId: '1', stars: 4, text: 'Long.' },
  { bookId: '2', stars: 5, text: 'Read in one night.' },
];

const resolvers = {
  Query: { latestReview: () => reviews.at(-1) },
  Review: { book: ({ bookId }: { bookId: string }) => ({ id: bookId }) },
  Book: { reviews: ({ id }: { id: string }) => reviews.filter(({ bookId }) => bookId === id) },
};

const server = new ApolloServer({ schema: buildSubgraphSchema([{ typeDefs, resolvers }]) });
const { url } = await startStandaloneServer(server, { listen: { port: 4172 } });
console.log(`reviews: ${url}`);
