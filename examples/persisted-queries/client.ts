import { readFileSync } from 'node:fs';

import { ApolloClient, ApolloLink, HttpLink, InMemoryCache, gql } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { generatePersistedQueryIdsFromManifest } from '@apollo/persisted-query-lists';

const uri = 'http://127.0.0.1:4000/';

const booksWithStars = gql`
  query BooksWithStars {
    books {
      title
      reviews {
        stars
      }
    }
  }
`;

// Sends the identifier that the manifest has for an operation's name, and never its text.
const identifiers = generatePersistedQueryIdsFromManifest({
  loadManifest: async () => JSON.parse(readFileSync('persisted-query-manifest.json', 'utf8')),
});
const client = new ApolloClient({
  link: ApolloLink.from([new PersistedQueryLink(identifiers), new HttpLink({ uri })]),
  cache: new InMemoryCache(),
});
const { data } = await client.query({ query: booksWithStars });
console.log(JSON.stringify(data));
