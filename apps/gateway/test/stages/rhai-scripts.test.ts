// The code of docs/rhai-scripts.md.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestIdentity } from '@meridian/testing';

import type { Respond } from '../coprocessor/test-coprocessor.ts';
import { startCoprocessor } from '../coprocessor/test-coprocessor.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { useInSuite } from '../support/use-in-suite.ts';

const gateway = useTestGateway();
const query = 'query Top { topProducts(first: 1) { name } }';
let page: string;
const coprocessor = useInSuite(startCoprocessor);

beforeAll(async () => {
  page = await readFile(new URL('../../../../docs/rhai-scripts.md', import.meta.url), 'utf8');
});

interface Script {
  readonly heading: string;
  /** The stages of a coprocessor. */
  readonly stages: string;
  readonly config?: string;
  readonly env?: Record<string, string>;
  readonly issuer?: string;
}

/** Starts a gateway with the code of a section of the page. */
async function start(
  kind: 'hook' | 'coprocessor',
  { heading, stages, config = '', env = {}, issuer = 'https://idp.local' }: Script,
): Promise<void> {
  const [, section = ''] = page.split(`## ${heading}\n`);
  const code = (
    kind === 'hook' ? /```ts\n(.*?satisfies Hooks.*?)```/s : /```js\n(function answer.*?)```/s
  ).exec(section)?.[1];
  if (code === undefined) {
    throw new Error(`The section ${heading} has no code of a ${kind}`);
  }
  const written = code.replaceAll('https://idp.local', issuer);
  const meridian = 'operations: { require_name: false }';
  if (kind === 'hook') {
    await gateway.start({
      env,
      config: `meridian: { hooks: ./hooks.ts, ${meridian} }\n${config}`,
      async prepare(directory) {
        await writeFile(join(directory, 'hooks.ts'), written);
        return {};
      },
    });
  } else {
    coprocessor.respond(runInNewContext(`(${written})`) as Respond);
    const rules = `coprocessor: { url: "${coprocessor.url}", ${stages} }`;
    await gateway.start({ env, config: `meridian: { ${meridian} }\n${rules}\n${config}` });
  }
}

const withoutToken = { hook: /No claims presented in this request/, coprocessor: /^{"status":401/ };

describe.each(['hook', 'coprocessor'] as const)('A Rhai script as a %s', (kind) => {
  it('sends cookies as header fields', async () => {
    await start(kind, {
      heading: 'Cookies as header fields',
      stages:
        'supergraph: { request: { headers: true, context: all } }, subgraph: { all: { request: { headers: true, context: all } } }',
    });
    const cookie = 'yummy_cookie=choco; tasty_cookie=straw=berry; host=evil; other=1';
    await gateway.post({ query }, { Cookie: cookie });
    expect(gateway.products.received[0]?.headers).toMatchObject({
      yummy_cookie: 'choco',
      tasty_cookie: 'straw=berry',
      host: expect.stringContaining('127.0.0.1') as unknown,
    });
  });

  it('sends the name of the operation', async () => {
    await start(kind, {
      heading: 'The name of the operation as a header field',
      stages: 'subgraph: { all: { request: { headers: true, context: all } } }',
      config:
        kind === 'hook'
          ? 'headers: { all: { request: [ { propagate: { named: x-operation-name } } ] } }'
          : '',
    });
    await gateway.post({ query });
    await gateway.post({ query: '{ time }' });
    const names = gateway.products.received.map(({ headers }) => headers['x-operation-name']);
    expect(names).toEqual(['Top', undefined]);
  });

  it('rejects a token of another issuer', async () => {
    await using identity = await createTestIdentity();
    const script = {
      heading: 'Claims of a token',
      stages: 'supergraph: { request: { context: all } }',
      env: { NODE_ENV: 'development', JWKS_URL: identity.jwksUrl.href, JWT_ISSUER: identity.issuer },
      config:
        'authentication: { router: { jwt: { jwks: [ { url: "${env.JWKS_URL}", issuers: ["${env.JWT_ISSUER}"] } ] } } }',
    };
    const headers = { Authorization: `Bearer ${await identity.token()}` };
    await start(kind, script);
    const { status, body } = await gateway.post({ query });
    expect(JSON.stringify({ status, body })).toMatch(withoutToken[kind]);
    expect((await gateway.post({ query }, headers)).status).toBe(401);
    await start(kind, { ...script, issuer: identity.issuer });
    expect((await gateway.post({ query }, headers)).status).toBe(200);
  });

  it('adds the time of a request', async () => {
    await start(kind, {
      heading: 'The time of a request',
      stages: 'supergraph: { request: { context: all }, response: { headers: true, context: all } }',
    });
    const { headers } = await gateway.post({ query });
    expect(headers.get('x-elapsed-time')).toMatch(/^\d+(?:\.\d)?$/);
  });

  it('rejects operations without a name', async () => {
    await start(kind, {
      heading: 'Operations without a name',
      stages: 'supergraph: { request: { body: true } }',
    });
    const unnamed = await gateway.post({ query: '{ time }' });
    expect(JSON.stringify(unnamed.body)).toMatch(/Anonymous operations are not allowed|ANONYMOUS_OPERATION/);
    expect((await gateway.post({ query, operationName: 'Top' })).status).toBe(200);
  });
});
