import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ApolloServer } from '@apollo/server';

import type { SubgraphClient } from '../../src/index.ts';
import { createApolloServerGateway, createHttpTransport, createSubgraphClient } from '../../src/index.ts';
import { composeSdl } from '../support/federation.ts';
import { library } from '../support/library.ts';
import type { StubSubgraph } from '../support/stub-subgraph.ts';
import { respondJson, sdlOf, startStubSubgraph } from '../support/stub-subgraph.ts';

let books: StubSubgraph;
let client: SubgraphClient;
let server: ApolloServer<{ token: string }>;

beforeAll(async () => {
  books = await startStubSubgraph('books', library.books);
  client = createSubgraphClient();
  const gateway = createApolloServerGateway<{ token: string }>({
    supergraphSdl: composeSdl([{ name: 'books', sdl: sdlOf(library.books), routingUrl: books.url }]),
    transport: createHttpTransport({
      client,
      targets: new Map([['books', { url: books.url, timeoutMs: 2000, maxResponseBytes: 10_000 }]]),
      interceptorsOf: (subgraph) => [
        async (request, next) => {
          const { token } = request.run.context;
          const response = await next({
            ...request,
            headers: { ...request.headers, [`x-${subgraph}`]: token },
          });
          return { ...response, text: response.text.toString().replace('"f1"', '"f2"') };
        },
      ],
    }),
    headersFor: (_subgraph, { token }) => ({ authorization: token }),
  });
  server = new ApolloServer({ gateway });
});

afterEach(() => books.reset());

afterAll(async () => {
  await server.stop();
  await client.close();
  await books.close();
});

describe('createApolloServerGateway', () => {
  it('runs the operations of an Apollo Server', async () => {
    const query =
      'query A { films { id } } query B($more: Boolean = false) { books { id pages @include(if: $more) } }';

    // As the interceptor changes it.
    expect(await run(query, 'A')).toEqual({ data: { films: [{ id: 'f2' }] } });
    expect(await run(query, 'B')).toEqual({ data: { books: [{ id: 'b1' }, { id: 'b2' }] } });
    expect(books.received.at(-1)?.headers).toMatchObject({
      authorization: 'Bearer 1',
      'x-books': 'Bearer 1',
    });
  });

  it('answers introspection', async () => {
    expect(await run('{ __type(name: "Film") { kind } }')).toEqual({ data: { __type: { kind: 'OBJECT' } } });
  });

  it('answers a request error to variables that are not of their types', async () => {
    const { errors } = await run('query ($lang: String) { books { title(lang: $lang) } }', undefined, {
      lang: 1,
    });

    expect(errors?.[0]?.message).toContain('String cannot represent');
  });

  it('passes on what a subgraph reports', async () => {
    books.misbehave((response) =>
      respondJson(response, {
        data: { media: null },
        errors: [{ message: 'no media', path: ['media'], extensions: { code: 'GONE' } }],
      }),
    );

    expect((await run('{ media { id } }')).errors).toMatchObject([
      { message: 'no media', path: ['media'], extensions: { code: 'GONE', serviceName: 'books' } },
    ]);
  });

  it('shows only the kind of failure of a failed request', async () => {
    books.misbehave((response) => respondJson(response, 'at 127.0.0.1', 500));

    expect((await run('{ media { id } books { id } }')).errors?.[0]).toMatchObject({
      message: 'A subgraph could not be reached, or failed',
      path: ['media'],
      extensions: { code: 'SUBREQUEST_HTTP_ERROR' },
    });
  });
});

async function run(query: string, operationName?: string, variables = {}) {
  const { body } = await server.executeOperation(
    { query, variables, ...(operationName !== undefined && { operationName }) },
    { contextValue: { token: 'Bearer 1' } },
  );
  if (body.kind !== 'single') {
    throw new Error('The answer is in parts');
  }
  return JSON.parse(JSON.stringify(body.singleResult)) as typeof body.singleResult;
}
