// An unmodified Apollo Client with `@apollo/persisted-query-lists`, against the gateway with its safelist on.
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ApolloClient,
  ApolloLink,
  CombinedGraphQLErrors,
  HttpLink,
  InMemoryCache,
  ServerError,
  gql,
} from '@apollo/client/core';
import { SetContextLink } from '@apollo/client/link/context';
import { ErrorLink } from '@apollo/client/link/error';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { createTestIdentity } from '@meridian/testing';
import { print } from 'graphql';
import { from, switchMap } from 'rxjs';

import { respondJson } from '../support/stub-subgraph.ts';
import { manifestOf } from '../support/test-gateway.ts';
import { forKnownCallers } from '../support/known-callers.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { useInSuite } from '../support/use-in-suite.ts';

// A CommonJS module that requires Apollo Client; jest allows that once Apollo Client is loaded.
const { generatePersistedQueryIdsFromManifest } = await import('@apollo/persisted-query-lists');

const shopWindow = gql`
  query ShopWindow($first: Int! = 3) {
    topProducts(first: $first) {
      id
      name
      reviews(first: 1) {
        id
        body
        __typename
      }
      __typename
    }
  }
`;
const rename = gql`
  mutation Rename($id: ID!, $name: String!) {
    rename(id: $id, name: $name) {
      id
      name
      __typename
    }
  }
`;
const unlisted = gql`
  query Unlisted {
    time
  }
`;
const operations = {
  'id-of-shop-window': print(shopWindow),
  'id-of-rename': print(rename),
};

const identity = useInSuite(createTestIdentity);
const gateway = useTestGateway();

beforeAll(() =>
  gateway.start(forKnownCallers(identity, operations, 'authorization: { require_authentication: true }')),
);
afterEach(() => {
  gateway.products.reset();
  gateway.reviews.reset();
});

interface Sent {
  readonly method: string;
  readonly url: string;
  readonly body: string;
  readonly status: number;
}

interface ClientUnderTest {
  readonly client: ApolloClient;
  /** The requests on the wire. */
  readonly sent: readonly Sent[];
}

/** A client as a team would write it; `listed` has the operations of its manifest. */
function createClient({
  byGet = false,
  tokens,
  listed = operations,
}: {
  byGet?: boolean;
  tokens: () => Promise<string>;
  listed?: Readonly<Record<string, string>>;
}): ClientUnderTest {
  const sent: Sent[] = [];
  const manifest = JSON.parse(manifestOf(listed)) as { operations: { id: string; name: string }[] };
  let token: Promise<string> | undefined;
  const refresh = new ErrorLink(({ error, operation, forward }) => {
    if (!ServerError.is(error) || error.statusCode !== 401) {
      return undefined;
    }
    token = tokens();
    return from(token).pipe(
      switchMap((renewed) => {
        operation.setContext({ headers: { authorization: `Bearer ${renewed}` } });
        return forward(operation);
      }),
    );
  });
  const authorize = new SetContextLink(async () => ({
    headers: { authorization: `Bearer ${await (token ??= tokens())}` },
  }));
  const client = new ApolloClient({
    cache: new InMemoryCache(),
    link: ApolloLink.from([
      refresh,
      authorize,
      new PersistedQueryLink({
        ...generatePersistedQueryIdsFromManifest({ loadManifest: () => manifest }),
        useGETForHashedQueries: byGet,
      }),
      new HttpLink({
        uri: gateway.url,
        fetch: async (url, init) => {
          const response = await fetch(url, init);
          const { method = 'GET', body } = init ?? {};
          sent.push({
            method,
            url: response.url,
            body: typeof body === 'string' ? body : '',
            status: response.status,
          });
          return response;
        },
      }),
    ]),
  });
  return { client, sent };
}

const ofAlice = (): Promise<string> => identity.token();

describe('An unmodified Apollo Client', () => {
  it('sends the identifier by POST, never the text', async () => {
    const { client, sent } = createClient({ tokens: ofAlice });
    const { data } = await client.query({ query: shopWindow, variables: { first: 2 } });
    expect(data).toMatchObject({ topProducts: [{ id: '1', reviews: [{ body: 'Good' }] }, { id: '2' }] });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.method).toBe('POST');
    expect(JSON.parse(sent[0]?.body ?? '')).toMatchObject({
      operationName: 'ShopWindow',
      extensions: { persistedQuery: { version: 1, sha256Hash: 'id-of-shop-window' } },
    });
    expect(sent[0]?.body).not.toContain('topProducts');
  });

  it('reads by GET, which a cache may keep, and still writes by POST', async () => {
    const { client, sent } = createClient({ byGet: true, tokens: ofAlice });
    expect((await client.query({ query: shopWindow })).data).toHaveProperty('topProducts');
    const renamed = await client.mutate({ mutation: rename, variables: { id: '1', name: 'New' } });
    expect(renamed.data).toMatchObject({ rename: { id: '1', name: 'New' } });
    expect(sent.map(({ method, status }) => [method, status])).toEqual([
      ['GET', 200],
      ['POST', 200],
    ]);
    expect(sent[0]?.url).toContain('id-of-shop-window');
  });

  it('passes partial data along with the errors, with errorPolicy all', async () => {
    gateway.reviews.misbehave((response) => respondJson(response, { oops: true }, 500));
    const { client } = createClient({ tokens: ofAlice });
    const { data, error } = await client.query({ query: shopWindow, errorPolicy: 'all' });
    // Reviews are non-null, so that each product is null, and the list is there.
    expect(data).toEqual({ topProducts: [null, null, null] });
    expect(CombinedGraphQLErrors.is(error)).toBe(true);
    const { errors } = error as CombinedGraphQLErrors;
    expect(errors[0]).toMatchObject({
      path: ['topProducts', 0, 'reviews'],
      extensions: { code: 'SUBREQUEST_HTTP_ERROR', traceId: expect.stringMatching(/^[\da-f]{32}$/) },
    });
  });

  it('passes the data without the errors, with errorPolicy ignore', async () => {
    gateway.reviews.misbehave((response) => respondJson(response, { oops: true }, 500));
    const { client } = createClient({ tokens: ofAlice });
    const { data, error } = await client.query({ query: shopWindow, errorPolicy: 'ignore' });
    expect(data).toEqual({ topProducts: [null, null, null] });
    expect(error).toBeUndefined();
  });

  it('gets another token after the 401 of an expired one, and repeats the operation once', async () => {
    const tokens = [identity.token({ ttlSeconds: -60 }), identity.token()];
    const { client, sent } = createClient({
      tokens: () => tokens.shift() ?? Promise.reject(new Error('no more')),
    });
    const { data } = await client.query({ query: shopWindow });
    expect(data).toHaveProperty('topProducts');
    expect(sent.map(({ status }) => status)).toEqual([401, 200]);
  });

  it('sees the error code when the application does not renew its token', async () => {
    const { client } = createClient({ tokens: () => identity.token({ ttlSeconds: -60 }) });
    const failure: unknown = await client.query({ query: shopWindow }).catch((error: unknown) => error);
    expect(ServerError.is(failure)).toBe(true);
    const { statusCode, bodyText } = failure as ServerError;
    expect(statusCode).toBe(401);
    expect(JSON.parse(bodyText)).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
  });

  it.each([
    ['POST', false],
    ['GET', true],
  ])(
    'does not send the text after an identifier that the gateway does not know, by %s',
    async (method, byGet) => {
      const { client, sent } = createClient({
        byGet,
        tokens: ofAlice,
        listed: { 'id-of-another-release': print(unlisted) },
      });
      const failure: unknown = await client.query({ query: unlisted }).catch((error: unknown) => error);
      expect(sent.map((request) => request.method)).toEqual([method]);
      expect(`${sent[0]?.url}${sent[0]?.body}`).not.toContain('time');
      expect(JSON.stringify(failure)).toContain('PERSISTED_QUERY_NOT_IN_LIST');
      expect(gateway.products.received).toEqual([]);
    },
  );

  it('stores entities under their keys, apart from each other', async () => {
    const { client, sent } = createClient({ tokens: ofAlice });
    await client.query({ query: shopWindow });
    await client.mutate({ mutation: rename, variables: { id: '2', name: 'Renamed' } });
    const { data } = await client.query({ query: shopWindow });
    expect(data).toMatchObject({
      topProducts: [{ name: 'Product 1' }, { name: 'Renamed' }, { name: 'Product 3' }],
    });
    // The second read came out of the client's cache.
    expect(sent).toHaveLength(2);
  });
});
