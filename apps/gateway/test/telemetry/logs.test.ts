import { describe, expect, it } from '@jest/globals';
import { createTestIdentity } from '@meridian/testing';

import { useTestGateway } from '../support/use-test-gateway.ts';

const secret = 'hunter2-swordfish';
const time = 'query A { time }';

const gateway = useTestGateway();

/** Sends a request as it stands, and waits until the gateway is done with it. */
async function send(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(`${new URL(gateway.url).origin}${path}`, init);
  await response.arrayBuffer();
  const requestId = response.headers.get('request-id');
  await gateway.logged({ msg: 'request', requestId });
  return response;
}

function post(body: object | string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return send('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

describe('The log', () => {
  it('holds no secret of a request, wherever it was: in headers, bodies or URLs', async () => {
    await using identity = await createTestIdentity();
    const jwks = [{ url: identity.jwksUrl.href, issuers: [identity.issuer], audiences: [identity.audience] }];
    await gateway.start({
      env: { NODE_ENV: 'development' },
      config: JSON.stringify({ authentication: { router: { jwt: { jwks } } } }),
    });
    const token = await identity.token();

    await post({ query: time }, { authorization: `Bearer ${token}`, cookie: `session=${secret}` });
    await post({ query: time }, { authorization: `Bearer ${secret}` });
    await post({ query: time }, { authorization: `Basic ${secret}`, 'x-api-key': secret });
    await post({ query: time }, { 'x-client': secret, traceparent: secret });
    // Bodies that a client may write, right and wrong.
    await post({ query: 'query A($id: ID!) { product(id: $id) { name } }', variables: { id: secret } });
    await post({ query: 'query A($n: Int!) { topProducts(first: $n) { name } }', variables: { n: secret } });
    await post({ query: `query A { product(id: "${secret}") { name } }` });
    await post({ query: `query A { topProducts(first: "${secret}") { name } }` });
    await post({ query: `query A { product(id: "${secret}) { name } }` });
    await post({ query: time, operationName: secret });
    await post({ query: time, extensions: { persistedQuery: { version: 1, sha256Hash: secret } } });
    await post({ query: secret, variables: secret, password: secret });
    await post(`{"password":"${secret}`);
    await post(`--${secret}`, { 'Content-Type': `text/${secret}` });
    // And into a URL.
    const variables = JSON.stringify({ x: secret });
    const parameters = new URLSearchParams({ query: time, variables, token: secret }).toString();
    const preflight = { headers: { 'apollo-require-preflight': 'yes', accept: `text/${secret}` } };
    await send(`/graphql?${parameters}`, { headers: { 'apollo-require-preflight': 'yes' } });
    await send(`/graphql?${parameters}`, preflight);
    await send(`/graphql/?${parameters}`, { ...preflight, redirect: 'manual' });

    const lines = gateway.log.map((line) => JSON.stringify(line));
    expect(lines.length).toBeGreaterThan(16);
    expect(lines.filter((line) => line.includes(secret))).toEqual([]);
    expect(lines.filter((line) => line.includes(token.split('.')[1] ?? token))).toEqual([]);
  });

  it("has a line with the client's trace id for every response", async () => {
    await gateway.start();
    const responses = [
      await post({ query: time }),
      await post({ query: 'query A {' }),
      await post('{'),
      await send('/nowhere', {}),
      await send('/graphql', { method: 'DELETE' }),
      await post({ query: time }, { accept: 'text/html' }),
    ];
    for (const { headers } of responses) {
      const traceId = headers.get('apollo-trace-id');
      expect(traceId).toMatch(/^[0-9a-f]{32}$/);
      await gateway.logged({ msg: 'request', traceId });
    }
  });

  it('has the operation, the caller and the error on the line of a request', async () => {
    await gateway.start();
    const client = { 'apollographql-client-name': 'web', 'apollographql-client-version': '1.2' };
    await post({ query: 'query Good { time }' }, client);
    await post({ query: 'query Wrong($first: Int!) { topProducts(first: $first) { name } }' }, client);
    gateway.products.misbehave((response) => void response.destroy());
    await post({ query: 'query Partial { time }' });
    await post({ query: 'query Failed { topProducts { name } }' });
    await post({ query: '{' });

    const lines = gateway.log.filter(({ msg }) => msg === 'request');
    const named = { clientName: 'web', clientVersion: '1.2' };
    expect(lines).toMatchObject([
      { operation: 'Good', operationType: 'query', ...named },
      {
        operation: 'Wrong',
        outcome: 'refused',
        errorCodes: ['VALIDATION_INVALID_TYPE_VARIABLE'],
        ...named,
      },
      { operation: 'Partial', outcome: 'partial', errorCodes: ['SUBREQUEST_HTTP_ERROR'] },
      { operation: 'Failed', outcome: 'error', errorCodes: ['SUBREQUEST_HTTP_ERROR'] },
      { outcome: 'refused', errorCodes: ['PARSING_ERROR'] },
    ]);
    const [good, , partial, , unread] = lines;
    expect(good).not.toHaveProperty('outcome');
    expect(good).not.toHaveProperty('errorCodes');
    expect(partial).not.toHaveProperty('clientName');
    expect(unread).not.toHaveProperty('operation');
  });

  it('truncates the names that a client makes up', async () => {
    await gateway.start();
    const long = 'n'.repeat(5000);
    await post({ query: `query ${long} { time }` }, { 'apollographql-client-name': long });
    await gateway.logged({ msg: 'request', operation: 'n'.repeat(100), clientName: 'n'.repeat(100) });
  });

  it('leaves out the lines of successful requests with LOG_REQUEST_RATIO 0, and no other', async () => {
    await gateway.start({ env: { LOG_REQUEST_RATIO: '0' } });
    await gateway.post({ query: time });
    await post({ query: 'query A { nothing }' });
    gateway.products.misbehave((response) => void response.destroy());
    await post({ query: time });
    const lines = gateway.log.filter(({ msg }) => msg === 'request');
    expect(lines).toMatchObject([
      { errorCodes: ['GRAPHQL_VALIDATION_FAILED'] },
      { errorCodes: ['SUBREQUEST_HTTP_ERROR'] },
    ]);
  });

  it('has the trace id of a request that the server refuses before the pipeline', async () => {
    await gateway.start();
    const requestError = await fetch(`${gateway.adminUrl}/nowhere`);
    const traceId = requestError.headers.get('apollo-trace-id');
    expect(await requestError.json()).toMatchObject({
      errors: [{ extensions: { code: 'NOT_FOUND', traceId } }],
    });
    await gateway.logged({ traceId, code: 'NOT_FOUND' });
  });
});
