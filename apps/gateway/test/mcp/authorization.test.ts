// Spec: Authentication. MCP 2025-11-25, "Authorization"; RFC 9728; RFC 6750.
import { describe, expect, it } from '@jest/globals';
import type { TestIdentity } from '@meridian/testing';
import { createTestIdentity, eventually } from '@meridian/testing';

import { respondJson } from '../support/stub-subgraph.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { replaceFile } from '../support/replace-file.ts';
import { useInSuite } from '../support/use-in-suite.ts';
import { callOf, mcpClient, textOf, withManifest } from './mcp-client.ts';

const manifest = {
  me: 'query Me { me { id name } }',
  costs: 'query Costs { topProducts(first: 1) { id cost } }',
  restock: 'mutation Restock($id: ID!) { restock(id: $id) }',
  margin: 'query Margin { topProducts(first: 1) { id margin } }',
  time: 'query Time { time }',
};
const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

const identity = useInSuite(createTestIdentity);
const gateway = useTestGateway();
const { at, connect, send } = mcpClient(gateway);

/** The graph takes tokens for `graph`, the endpoint those for `meridian`, which the identity signs. */
function configOf(mcp: string, { jwksUrl, issuer }: TestIdentity = identity): string {
  return `
      ${withManifest}
      authentication: { router: { jwt: { jwks: [{ url: '${jwksUrl.href}', issuers: ['${issuer}'], audiences: [graph] }] } } }
      headers: { all: { request: { operations: [ { propagate: { named: authorization } } ] } } }
      traffic_shaping: { deduplicate_variables: true, all: { deduplicate_query: true, timeout: 5s } }
      meridian:
        authentication: { tenant_claim: tenant_id, required_claims: [sub] }
        mcp: { enabled: true, mutations: true, ${mcp} }
    `;
}

async function start(mcp = 'audiences: [meridian]'): Promise<void> {
  await gateway.start({
    config: configOf(mcp),
    env: { NODE_ENV: 'development' },
    manifest,
  });
}

async function withToken(claims: Parameters<TestIdentity['token']>[0]): Promise<{ Authorization: string }> {
  return { Authorization: `Bearer ${await identity.token(claims)}` };
}

describe('The endpoint', () => {
  it('challenges a caller without a token, and names its metadata, which name the issuer and the scopes', async () => {
    await start();
    const response = await send(list);
    const metadataUrl = at('/.well-known/oauth-protected-resource/mcp');
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${metadataUrl}"`,
    ]);
    const metadata = await fetch(metadataUrl);
    expect(await metadata.json()).toEqual({
      resource: at('/mcp'),
      authorization_servers: [identity.issuer],
      scopes_supported: ['admin', 'costs:read', 'stock:write'],
      bearer_methods_supported: ['header'],
    });
  });

  it('has the public URL of its resource in both', async () => {
    await start(
      'audiences: [meridian], resource: "https://api.example/shop/mcp", authorization_servers: ["https://login.example"]',
    );
    const path = '/.well-known/oauth-protected-resource/shop/mcp';
    expect((await send(list)).headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="https://api.example${path}"`,
    );
    expect(await (await fetch(at(path))).json()).toMatchObject({
      resource: 'https://api.example/shop/mcp',
      authorization_servers: ['https://login.example'],
    });
  });

  it('takes tokens of its own audience alone, as the graph does of its own', async () => {
    await start();
    const headers = await withToken({});
    expect((await send(callOf('Time'), headers)).status).toBe(200);
    expect((await gateway.post({ query: 'query T { time }' }, headers)).code).toBe('UNAUTHENTICATED');
    await start('audiences: ["https://api.example/mcp"]');
    const response = await send(callOf('Time'), headers);
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/error="invalid_token"/u),
    ]);
  });

  it.each([
    ['no token', 'Basic YTpi'],
    ['a token without a signature', 'Bearer e30.e30.e30'],
  ])('rejects %s before it reads the body', async (_name, authorization) => {
    await start();
    expect((await send('{', { Authorization: authorization })).status).toBe(401);
  });

  it('takes no token from a query string or a cookie', async () => {
    await start();
    const token = await identity.token();
    const response = await fetch(`${at('/mcp')}?access_token=${token}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: `token=${token}` },
      body: JSON.stringify(list),
    });
    expect(response.status).toBe(401);
  });
});

describe('A tool', () => {
  it.each<[string, readonly string[], string]>([
    ['Costs', [], 'costs:read'],
    ['Restock', [], 'stock:write'],
    ['Restock', ['costs:read'], 'stock:write'],
  ])('%s asks a caller with the scopes %j for %s', async (name, scopes, missing) => {
    await start();
    const response = await send(callOf(name, { id: '1' }), await withToken({ scopes }));
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      403,
      expect.stringMatching(new RegExp(`error="insufficient_scope", scope="${missing}"$`, 'u')),
    ]);
    expect(gateway.products.received).toEqual([]);
  });

  it.each([
    ['Costs', ['costs:read']],
    ['Restock', ['stock:write']],
    ['Restock', ['admin']],
    ['Me', []],
  ])('%s runs for a caller with the scopes %j', async (name, scopes) => {
    await start();
    const client = await connect(await identity.token({ scopes }));
    const result = await client.callTool({ name, arguments: name === 'Restock' ? { id: '1' } : {} });
    expect([result.isError, textOf(result)]).toEqual([false, expect.not.stringContaining('errors')]);
    await client.close();
  });

  it('runs without the fields that a policy keeps from the caller', async () => {
    await start();
    const client = await connect(await identity.token());
    expect(textOf(await client.callTool({ name: 'Margin' }))).toContain('UNAUTHORIZED_FIELD_OR_TYPE');
    await client.close();
  });

  it('that is public runs without a token where that is allowed; others ask for one', async () => {
    await start('audiences: [meridian], allow_anonymous: true');
    expect((await send(callOf('Time'))).status).toBe(200);
    for (const [name, scope] of [
      ['Me', ''],
      ['Costs', ', scope="costs:read"'],
    ] as const) {
      const response = await send(callOf(name));
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        401,
        `Bearer resource_metadata="${at('/.well-known/oauth-protected-resource/mcp')}"${scope}`,
      ]);
    }
  });
});

describe('A changed router.yaml', () => {
  const reload = async (text: string): Promise<void> => {
    const reloaded = (): number => gateway.log.filter(({ msg }) => msg === 'configuration reloaded').length;
    const before = reloaded();
    await replaceFile(gateway.configPath, text);
    await eventually(() => expect(reloaded()).toBe(before + 1));
  };
  const statusOf = async (by: TestIdentity, body: object = list): Promise<number> =>
    (await send(body, { Authorization: `Bearer ${await by.token()}` })).status;

  it('has other keys, issuers and audiences: the old ones are refused', async () => {
    await using other = await createTestIdentity();
    await start();
    expect([await statusOf(identity), await statusOf(other)]).toEqual([200, 401]);
    await reload(configOf('audiences: [meridian]', other));
    expect([await statusOf(identity), await statusOf(other)]).toEqual([401, 200]);
    const metadata = await fetch(at('/.well-known/oauth-protected-resource/mcp'));
    expect(await metadata.json()).toMatchObject({ authorization_servers: [other.issuer] });
    await reload(configOf('audiences: [tools]', other));
    expect([await statusOf(identity), await statusOf(other)]).toEqual([401, 401]);
  });

  it('has other rules of the endpoint', async () => {
    const named = async (): Promise<string> => await (await send(list, await withToken({}))).text();
    await start();
    expect(await named()).toContain('Restock');
    await reload(
      configOf('audiences: [meridian]')
        .replace('mutations: true', 'mutations: false, operations: [{ name: Restock }, { name: Time }]')
        .replace('enabled: true, mutations', 'enabled: true, max_response_bytes: 1024, mutations'),
    );
    expect(await named()).not.toContain('Restock');
    expect(await named()).not.toContain('Costs');
    const called = await send(callOf('Restock', { id: '1' }), await withToken({ scopes: ['stock:write'] }));
    expect(await called.json()).toMatchObject({ error: { code: -32_602 } });
    expect((await send(list)).status).toBe(401);
    await reload(configOf('audiences: [meridian], allow_anonymous: true, client_name: bot'));
    expect([(await send(list)).status, (await send(callOf('Time'))).status]).toEqual([200, 200]);
    await gateway.logged({ operation: 'Time', clientName: 'bot' });
    await reload(configOf('audiences: [meridian], path: /tools'));
    expect(await statusOf(identity)).toBe(404);
    await reload(configOf('audiences: [meridian]').replace('mcp: { enabled: true', 'mcp: { enabled: false'));
    expect(await statusOf(identity)).toBe(404);
  });
});

describe('Callers of two tenants', () => {
  it('get their own data, at the same moment, with all deduplication on', async () => {
    await start();
    gateway.products.misbehave((response, { headers: { authorization = '' } }) => {
      const [, claims = ''] = authorization.split('.');
      const { tenant_id: tenant } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
        tenant_id: string;
      };
      respondJson(response, { data: { me: { id: tenant, name: tenant } } });
    });
    const tenants = Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? 'acme' : 'globex'));
    const responses = await Promise.all(
      tenants.map(async (tenant) => {
        const response = await send(callOf('Me'), await withToken({ tenant }));
        const { result } = (await response.json()) as { result: object };
        return textOf(result);
      }),
    );
    expect(responses).toEqual(
      tenants.map((tenant) => JSON.stringify({ data: { me: { id: tenant, name: tenant } } })),
    );
  });
});
