import type { ApolloServerPlugin } from '@apollo/server';
import { ApolloServer } from '@apollo/server';
import { ApolloServerPluginInlineTraceDisabled } from '@apollo/server/plugin/disabled';
import { startStandaloneServer } from '@apollo/server/standalone';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { SubgraphRequest, SubgraphResponse } from '@meridian/executor';
import { SubgraphFailure, composeInterceptors } from '@meridian/executor';
import { stubSchema } from '@meridian/testing/stub-subgraph';

import { sendHashes } from '../../src/subgraphs/send-hashes.ts';
import { products } from '../support/shop-subgraphs.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';

const gateway = useTestGateway();
const servers: ApolloServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

/** An unmodified Apollo Server over the products; `sent` says what each of its requests had. */
async function startApolloServer(
  persistedQueries?: false,
): Promise<{ readonly url: string; readonly sent: string[] }> {
  const sent: string[] = [];
  const record: ApolloServerPlugin = {
    requestDidStart: ({ request }) => {
      const hasHash = request.extensions?.['persistedQuery'] !== undefined;
      sent.push([hasHash ? 'hash' : '', request.query === undefined ? '' : 'text'].filter(Boolean).join('+'));
      return Promise.resolve();
    },
  };
  const server = new ApolloServer({
    schema: stubSchema(products),
    plugins: [record, ApolloServerPluginInlineTraceDisabled()],
    ...(persistedQueries === false && { persistedQueries }),
  });
  servers.push(server);
  const { url } = await startStandaloneServer(server, { listen: { host: '127.0.0.1', port: 0 } });
  return { url, sent };
}

function configFor(url: string, subgraph: string): string {
  return `
override_subgraph_url: { products: '${url}' }
apq: { subgraph: ${subgraph} }`;
}

describe('apq.subgraph', () => {
  it('sends an Apollo Server the hash, and the text once', async () => {
    const { url, sent } = await startApolloServer();
    await gateway.start({ config: configFor(url, '{ all: { enabled: true } }') });
    const query = 'query P($id: ID!) { product(id: $id) { id name } }';
    const first = await gateway.post({ query, variables: { id: '1' } });
    const second = await gateway.post({ query, variables: { id: '2' } });
    expect([first.body.data?.['product'], second.body.data?.['product']]).toMatchObject([
      { id: '1' },
      { id: '2' },
    ]);
    expect(sent).toEqual(['hash', 'hash+text', 'hash']);
  });

  it('runs a mutation once', async () => {
    const { url, sent } = await startApolloServer();
    await gateway.start({ config: configFor(url, '{ subgraphs: { products: { enabled: true } } }') });
    const { body } = await gateway.post({ query: 'mutation C { rename(id: 1, name: "\\"x\\"") { name } }' });
    expect(body).toEqual({ data: { rename: { name: '"x"' } } });
    expect(sent).toEqual(['hash', 'hash+text']);
  });

  it('sends texts to an Apollo Server that does not support it, after the first request', async () => {
    const { url, sent } = await startApolloServer(false);
    await gateway.start({ config: configFor(url, '{ all: { enabled: true } }') });
    const post = async (): Promise<unknown> => (await gateway.post({ query: 'query A { time }' })).body;
    expect([await post(), await post()]).toEqual([{ data: { time: 'now' } }, { data: { time: 'now' } }]);
    expect(sent).toEqual(['hash', 'text', 'text']);
  });

  it.each(['{}', '{ all: { enabled: true }, subgraphs: { products: { enabled: false } } }'])(
    'sends texts where it is off: %s',
    async (subgraph) => {
      const { url, sent } = await startApolloServer();
      await gateway.start({ config: configFor(url, subgraph) });
      await gateway.post({ query: 'query A { time }' });
      expect(sent).toEqual(['text']);
    },
  );
});

describe('sendHashes', () => {
  const notFound = {
    errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
  };

  it('sends the text after an error with a status too', async () => {
    const { call, bodies } = through((attempt) =>
      attempt === 1
        ? Promise.reject(
            new SubgraphFailure('SUBREQUEST_HTTP_ERROR', 'the status 404', {
              status: 404,
              body: JSON.stringify(notFound),
            }),
          )
        : Promise.resolve({ text: '{}', cacheControl: undefined }),
    );
    expect(await call('{"query":"{ a }","variables":{}}')).toMatchObject({ text: '{}' });
    expect(bodies.map((body) => Object.keys(body))).toEqual([
      ['extensions', 'variables'],
      ['extensions', 'query', 'variables'],
    ]);
  });

  it('passes other failures and errors on', async () => {
    const failure = new SubgraphFailure('GATEWAY_TIMEOUT', 'late');
    await expect(through(() => Promise.reject(failure)).call('{"query":"{ a }"}')).rejects.toBe(failure);
    const text = '{"errors":[{"message":"PERSISTED_QUERY_NOT_FOUND"}]}';
    const { call, bodies } = through(() => Promise.resolve({ text, cacheControl: undefined }));
    expect(await call('{"query":"{ a }"}')).toMatchObject({ text });
    expect(bodies).toHaveLength(1);
  });

  it('sends a body in another form as it is', async () => {
    const { call, bodies } = through(() => Promise.resolve({ text: '{}', cacheControl: undefined }));
    await call('{"id":"7"}');
    expect(bodies).toEqual([{ id: '7' }]);
  });
});

function through(respond: (attempt: number) => Promise<SubgraphResponse>): {
  readonly call: (body: string) => Promise<SubgraphResponse>;
  readonly bodies: object[];
} {
  const bodies: object[] = [];
  const call = composeInterceptors<SubgraphRequest<undefined>, Promise<SubgraphResponse>>(
    [sendHashes<undefined>()],
    ({ body }) => {
      bodies.push(JSON.parse(body) as object);
      return respond(bodies.length);
    },
  );
  return {
    bodies,
    call: (body) =>
      call({
        subgraph: 'a',
        operationKind: 'query',
        body,
        headers: {},
        signal: new AbortController().signal,
        run: undefined,
      }),
  };
}
