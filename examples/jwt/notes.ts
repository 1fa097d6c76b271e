import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';

const typeDefs = parse(`
  extend schema
    @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@authenticated", "@requiresScopes"])

  type Query {
    motd: String!
    myNotes: [String!] @authenticated
    allNotes: [String!] @requiresScopes(scopes: [["notes:all"]])
  }
`);

interface Caller {
  readonly subject: string;
}

const notes = [
  { owner: 'alice', text: 'Buy milk' },
  { owner: 'bob', text: 'Call Alice' },
];

const resolvers = {
  Query: {
    motd: () => 'Be kind.',
    // The gateway has verified the token. It passes on who the caller is: router.yaml.
    myNotes(_source: unknown, _args: unknown, context: unknown) {
      const { subject } = context as Caller;
      return notes.filter(({ owner }) => owner === subject).map(({ text }) => text);
    },
    allNotes: () => notes.map(({ text }) => text),
  },
};

const server = new ApolloServer<Caller>({ schema: buildSubgraphSchema([{ typeDefs, resolvers }]) });
const { url } = await startStandaloneServer(server, {
  listen: { port: 4175 },
  context: ({ req }) => Promise.resolve({ subject: String(req.headers['x-subject']) }),
});
console.log(`notes: ${url}`);
