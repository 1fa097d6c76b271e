// The code of docs/rhai-scripts.md.
import { readFile } from 'node:fs/promises';
import { runInNewContext } from 'node:vm';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestIdentity } from '@meridian/testing';

import { useTestGateway } from '../support/use-test-gateway.ts';
import type { Respond, TestCoprocessor } from './test-coprocessor.ts';
import { startCoprocessor } from './test-coprocessor.ts';

const gateway = useTestGateway();
const query = 'query Top { topProducts(first: 1) { name } }';
let page: string;
let coprocessor: TestCoprocessor;

beforeAll(async () => {
  page = await readFile(new URL('../../../../docs/rhai-scripts.md', import.meta.url), 'utf8');
  coprocessor = await startCoprocessor();
});
afterAll(() => coprocessor.close());

async function start(heading: string, rules: string, config = '', env = {}, issuer = ''): Promise<void> {
  const [, section = ''] = page.split(`## ${heading}\n`);
  const code = /```js\n(function answer.*?)```/s.exec(section)?.[1] ?? '';
  coprocessor.respond(runInNewContext(`(${code.replace('https://idp.local', issuer)})`) as Respond);
  await gateway.start({
    env,
    config: `meridian: { operations: { require_name: false } }
coprocessor: { url: "${coprocessor.url}", ${rules} }
${config}`,
  });
}

describe('A Rhai script as a coprocessor', () => {
  it('sends cookies as header fields', async () => {
    await start(
      'Cookies as header fields',
      'supergraph: { request: { headers: true, context: all } }, subgraph: { all: { request: { headers: true, context: all } } }',
    );
    await gateway.post({ query }, { Cookie: 'yummy_cookie=choco; tasty_cookie=straw=berry; other=1' });
    const headers = gateway.products.received[0]?.headers;
    expect(headers).toMatchObject({ yummy_cookie: 'choco', tasty_cookie: 'straw=berry' });
    expect(headers).not.toHaveProperty('other');
  });

  it('sends the name of the operation', async () => {
    await start(
      'The name of the operation as a header field',
      'subgraph: { all: { request: { headers: true, context: all } } }',
    );
    await gateway.post({ query });
    await gateway.post({ query: '{ time }' });
    const names = gateway.products.received.map(({ headers }) => headers['x-operation-name']);
    expect(names).toEqual(['Top', undefined]);
  });

  it('rejects a token of another issuer', async () => {
    const identity = await createTestIdentity();
    try {
      const env = { NODE_ENV: 'development', JWKS_URL: identity.jwksUrl.href, JWT_ISSUER: identity.issuer };
      const keys =
        'authentication: { router: { jwt: { jwks: [ { url: "${env.JWKS_URL}", issuers: ["${env.JWT_ISSUER}"] } ] } } }';
      const rules = 'supergraph: { request: { context: all } }';
      const headers = { Authorization: `Bearer ${await identity.token()}` };
      await start('Claims of a token', rules, keys, env, 'https://other.example');
      expect((await gateway.post({ query })).status).toBe(401);
      expect((await gateway.post({ query }, headers)).code).toBe('UNAUTHENTICATED');
      await start('Claims of a token', rules, keys, env, identity.issuer);
      expect((await gateway.post({ query }, headers)).status).toBe(200);
    } finally {
      await identity.close();
    }
  });

  it('adds the time of a request', async () => {
    await start(
      'The time of a request',
      'supergraph: { request: { context: all }, response: { headers: true, context: all } }',
    );
    const { headers } = await gateway.post({ query });
    expect(headers.get('x-elapsed-time')).toMatch(/^\d+$/);
  });

  it('rejects operations without a name', async () => {
    await start('Operations without a name', 'supergraph: { request: { body: true } }');
    expect((await gateway.post({ query: '{ time }' })).code).toBe('ANONYMOUS_OPERATION');
    expect((await gateway.post({ query, operationName: 'Top' })).status).toBe(200);
  });
});
