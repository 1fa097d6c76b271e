import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';

const typeDefs = parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])

  type Query {
    books: [Book!]!
  }

  type Book @key(fields: "id") {
    id: ID!
    title: String!
  }
`);

const books = [
  { id: '1', title: 'Middlemarch' },
  { id: '2', title: 'Kindred' },
];

const resolvers = {
  Query: { books: () => books },
  Book: {
    // The gateway has an id, of another subgraph, and asks for the book.
    __resolveReference: ({ id }: { id: string }) => books.find((book) => book.id === id),
  },
};

const server = new ApolloServer({ schema: buildSubgraphSchema([{ typeDefs, resolvers }]) });
const { url } = await startStandaloneServer(server, { listen: { port: 4171 } });
console.log(`books: ${url}`);
