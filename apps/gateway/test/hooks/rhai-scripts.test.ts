// The code of docs/rhai-scripts.md.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestIdentity } from '@meridian/testing';

import { useTestGateway } from '../support/use-test-gateway.ts';

const gateway = useTestGateway();
const query = 'query Top { topProducts(first: 1) { name } }';
let page: string;

beforeAll(async () => {
  page = await readFile(new URL('../../../../docs/rhai-scripts.md', import.meta.url), 'utf8');
});

async function start(
  heading: string,
  {
    config = '',
    env = {},
    issuer = 'https://idp.local',
  }: { config?: string; env?: Record<string, string>; issuer?: string } = {},
): Promise<void> {
  const [, section = ''] = page.split(`## ${heading}\n`);
  const code = /```ts\n(.*?)```/s.exec(section)?.[1] ?? '';
  expect(code).toContain('satisfies Hooks');
  await gateway.start({
    env,
    config: `meridian: { hooks: ./hooks.ts, operations: { require_name: false } }\n${config}`,
    async prepare(directory) {
      await writeFile(join(directory, 'hooks.ts'), code.replaceAll('https://idp.local', issuer));
      return {};
    },
  });
}

describe('A Rhai script as a hook', () => {
  it('sends cookies as header fields', async () => {
    await start('Cookies as header fields');
    await gateway.post({ query }, { Cookie: 'yummy_cookie=choco; tasty_cookie=straw=berry; host=evil' });
    expect(gateway.products.received[0]?.headers).toMatchObject({
      yummy_cookie: 'choco',
      tasty_cookie: 'straw=berry',
      host: expect.stringContaining('127.0.0.1') as unknown,
    });
  });

  it('sends the name of the operation', async () => {
    await start('The name of the operation as a header field', {
      config: 'headers: { all: { request: [ { propagate: { named: x-operation-name } } ] } }',
    });
    await gateway.post({ query });
    await gateway.post({ query: '{ time }' });
    const names = gateway.products.received.map(({ headers }) => headers['x-operation-name']);
    expect(names).toEqual(['Top', undefined]);
  });

  it('rejects a token of another issuer', async () => {
    const identity = await createTestIdentity();
    try {
      const env = { NODE_ENV: 'development', JWKS_URL: identity.jwksUrl.href, JWT_ISSUER: identity.issuer };
      const config =
        'authentication: { router: { jwt: { jwks: [ { url: "${env.JWKS_URL}", issuers: ["${env.JWT_ISSUER}"] } ] } } }';
      const headers = { Authorization: `Bearer ${await identity.token()}` };
      await start('Claims of a token', { config, env });
      expect((await gateway.post({ query })).body).toMatchObject({
        errors: [{ message: 'No claims presented in this request' }],
      });
      expect((await gateway.post({ query }, headers)).status).toBe(401);
      await start('Claims of a token', { config, env, issuer: identity.issuer });
      expect((await gateway.post({ query }, headers)).status).toBe(200);
    } finally {
      await identity.close();
    }
  });

  it('adds the time of a request', async () => {
    await start('The time of a request');
    const { headers } = await gateway.post({ query });
    expect(headers.get('x-elapsed-time')).toMatch(/^\d+\.\d$/);
  });

  it('rejects operations without a name', async () => {
    await start('Operations without a name');
    expect((await gateway.post({ query: '{ time }' })).body).toMatchObject({
      errors: [{ message: 'Anonymous operations are not allowed' }],
    });
    expect((await gateway.post({ query, operationName: 'Top' })).status).toBe(200);
  });
});
