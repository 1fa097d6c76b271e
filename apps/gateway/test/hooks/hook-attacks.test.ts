// Hooks that try to go round the rules of the gateway.
import { describe, expect, it } from '@jest/globals';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

import { callOf, mcpClient, withManifest } from '../mcp/mcp-client.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { useInSuite } from '../support/use-in-suite.ts';
import { form, formHeaders, operation, store } from '../uploads/form.ts';
import { startUploadSubgraphs } from '../uploads/upload-subgraphs.ts';
import { withHooks } from './with-hooks.ts';

const gateway = useTestGateway();
const uploadSubgraphs = useInSuite(startUploadSubgraphs);
const product = { query: 'query P { product(id: 7) { id name } }' };

describe('A hook cannot', () => {
  it.each([
    ['supergraph: { request', 'authorization'],
    ['execution: { request', 'authorization'],
    ['execution: { request', 'cookie'],
    ...['router: { request', 'router: { response', 'supergraph: { response', 'subgraph: { request'].flatMap(
      (place) => [
        [place, 'content-length'],
        [place, 'transfer-encoding'],
      ],
    ),
  ])('change at %s: %s', async (place, field) => {
    await gateway.start(withHooks(`{ ${place}(message) { message.headers.set('${field}', 'x') } } }`));
    const { status, code } = await gateway.post(product);
    expect([status, code]).toEqual([500, 'INTERNAL_SERVER_ERROR']);
    expect(JSON.stringify(gateway.log)).toContain(`the header field ${field} cannot be changed here`);
  });

  it.each([
    [`supergraph: { request: () => ({ body: '1},{"data":{}' }) }`, 'INTERNAL_SERVER_ERROR'],
    [`supergraph: { request: () => ({ body: 'blocked' }) }`, 'INTERNAL_SERVER_ERROR'],
    [`supergraph: { request: () => ({ status: 403, body: '[]' }) }`, 'INTERNAL_SERVER_ERROR'],
    // A batch passes it as a whole.
    [
      `router: { request: ({ headers }) => headers.set('x-a', 'b'),
        response(message) { if (message.body.startsWith('{')) message.body = '1},{'; } }`,
      'now',
    ],
  ])('break the message that a response is a member of: %s', async (code, ofItems) => {
    await gateway.start({
      ...withHooks(`{ ${code} }`),
      manifest: { a: 'query P { time }' },
      config: `${withManifest}
batching: { enabled: true, mode: batch_http_link }
subscription: { enabled: true }
meridian:
  hooks: ./hooks.ts
  mcp: { enabled: true, allow_anonymous: true }
  subscription: { http: { all: { protocol: sse } } }`,
    });
    const failed = expect.stringContaining('The gateway failed') as unknown;
    const operation = { query: 'query P { time }' };
    const batch = await gateway.post([operation, operation]);
    const item = expect.stringContaining(ofItems) as unknown;
    expect([batch.status, Object.values(batch.body).map((one) => JSON.stringify(one))]).toEqual([
      200,
      [item, item],
    ]);
    const client = createClient({
      url: gateway.url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      retryAttempts: 0,
    });
    await expect(client.iterate(operation).next()).rejects.toMatchObject([{ message: failed }]);
    await client.dispose();
    const called = await mcpClient(gateway).send(callOf('P'));
    expect(await called.json()).toMatchObject({ result: { content: [{ text: failed }], isError: true } });
  });

  it('send a subgraph what is not JSON in a request with files', async () => {
    const { prepare, ...started } = withHooks(`{ subgraph: { request(message) { message.body += 'x' } } }`);
    await gateway.start({
      config: `${started.config}\npreview_file_uploads: { enabled: true, protocols: { multipart: { enabled: true } } }`,
      prepare: async (directory) => ({
        ...(await prepare?.(directory)),
        ...(await uploadSubgraphs.prepare(directory)),
      }),
    });
    const body = form(operation(store, { file: null }, { 0: ['variables.file'] }, ['0', 'text', 'a.txt']));
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: formHeaders,
      body: new Uint8Array(body),
    });
    expect(response.status).toBe(500);
    expect(JSON.stringify(gateway.log)).toContain(
      'the hook ./hooks.ts failed at subgraphRequest: the body of',
    );
  });

  it('run another text than the safelist has', async () => {
    const safelist = `
apq: { enabled: false }
persisted_queries: { enabled: true, local_manifests: ['\${env.MANIFEST_PATH}'], safelist: { enabled: true } }`;
    const change = `{ supergraph: { request(message) { message.query = 'query B { time }' } } }`;
    await gateway.start(withHooks(change, safelist, { manifest: { a: product.query } }));
    const { code } = await gateway.post(product);
    expect(code).toBe('QUERY_NOT_IN_SAFELIST');
    expect(gateway.products.received).toHaveLength(0);
  });

  it('exceed a limit with changed variables', async () => {
    await gateway.start(withHooks(`{ supergraph: { request(message) { message.variables.first = 1000 } } }`));
    const query = 'query T($first: Int!) { topProducts(first: $first) { id } }';
    expect((await gateway.post({ query, variables: { first: 1 } })).code).toBe('PAGE_SIZE_LIMIT');
  });

  it('change the variables of an admitted operation', async () => {
    await gateway.start(withHooks(`{ execution: { request(message) { message.variables.first = 1000 } } }`));
    const query = 'query T($first: Int!) { topProducts(first: $first) { id } }';
    expect((await gateway.post({ query, variables: { first: 1 } })).status).toBe(500);
  });

  it.each([
    [`{ supergraph: { response(message) { delete message.data.product.name } } }`, 'private, no-store', ''],
    [`{ subgraph: { request(message) { message.headers.set('x-a', 'b') } } }`, 'private, no-store', ''],
    [`{ router: { request: ({ headers }) => void headers.get('x-key') } }`, 'max-age=10, public', 'x-key'],
    [`{ router: { response: ({ headers }) => headers.set('x-a', 'b') } }`, 'max-age=10, private', ''],
    [`{ router: { response: ({ headers }) => headers.set('set-cookie', 'a=b') } }`, 'private, no-store', ''],
  ])('have its response stored for others: %s', async (code, policy, varies) => {
    await gateway.start(withHooks(code));
    const { headers } = await gateway.get({ query: 'query P { product(id: 7) { id name price } }' });
    expect(headers.get('cache-control')).toBe(policy);
    expect(headers.get('vary')).toContain(varies);
  });

  it('change the response of another request that runs at the same time', async () => {
    const trim = `{ router: { request({ headers, context }) { context.set('trims', headers.has('x-trim')) } },
      supergraph: { response(message) { if (message.context.get('trims')) delete message.data.product.name } } }`;
    await gateway.start(withHooks(trim));
    const bodies = await Promise.all(
      [{}, { 'x-trim': '1' }, {}].map(
        async (headers) => (await gateway.post(product, headers)).body.data?.['product'],
      ),
    );
    expect(bodies).toEqual([{ id: '7', name: 'Product 7' }, { id: '7' }, { id: '7', name: 'Product 7' }]);
  });

  it('have its own run shared with others', async () => {
    await gateway.start(
      withHooks(`{ router: { request({ headers, context }) { context.set('ab', headers.get('x-ab')) } },
        subgraph: { request: ({ headers, context }) => headers.set('x-ab', context.get('ab')) } }`),
    );
    await Promise.all(['a', 'b'].map((label) => gateway.post(product, { 'x-ab': label })));
    expect(new Set(gateway.products.received.map(({ headers }) => headers['x-ab']))).toEqual(
      new Set(['a', 'b']),
    );
  });
});
