// The tools, as the protocol's own client sees them.
import { rename, writeFile } from 'node:fs/promises';

import { describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import { manifestOf } from '../support/test-gateway.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import type { Mode } from './mcp-client.ts';
import { callOf, mcpClient, textOf, withManifest } from './mcp-client.ts';

const manifest = {
  product:
    '# One product.\n# Prices are in cents.\nquery ProductById($id: ID!) { product(id: $id) { id name price } }',
  top: 'query Top($first: Int = 3) { topProducts(first: $first) { id name } }',
  page: 'query Page($size: Int!, $after: Json) { topProducts(first: $size) { id } found(by: $after) }',
  plain: 'query Plain { topProducts(first: 50) { id name } }',
  nulled: 'query Nulled { topProducts(first: 1) { id reviews { id } } }',
  rename: 'mutation Rename($id: ID!, $name: String!) { rename(id: $id, name: $name) { id name } }',
  deferred: 'query Deferred { topProducts(first: 1) { id ... @defer { name } } }',
  broken: 'query Broken { nothing }',
  other: 'query Top { time }',
  time: 'query Time { time }',
};
const gateway = useTestGateway();
const { at, connect, send } = mcpClient(gateway);

async function start(mcp = '', more = ''): Promise<void> {
  await gateway.start({
    config: `${withManifest}\n${more}\nmeridian: { mcp: { enabled: true, allow_anonymous: true, ${mcp} } }`,
    manifest,
  });
}

async function call(name: string, given: Record<string, unknown> = {}): Promise<[boolean, string]> {
  const client = await connect();
  const result = await client.callTool({ name, arguments: given });
  await client.close();
  return [result.isError === true, textOf(result)];
}

async function namesNow(): Promise<readonly string[]> {
  const client = await connect();
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

describe.each<Mode>(['auto', 'legacy'])('The client of the SDK, in its mode %s,', (mode) => {
  it('lists the queries of the manifest, and calls one', async () => {
    await start();
    const client = await connect(undefined, mode);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['Nulled', 'Page', 'Plain', 'ProductById', 'Time', 'Top']);
    expect(tools[0]?.description).toBe(
      'The query Nulled of the graph.\nIt selects topProducts { id reviews }.',
    );
    expect(tools[3]).toEqual({
      name: 'ProductById',
      description: 'One product.\nPrices are in cents.',
      inputSchema: {
        type: 'object',
        properties: { id: { type: 'string' } },
        required: ['id'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    });
    const result = await client.callTool({ name: 'ProductById', arguments: { id: '7' } });
    expect([result.isError, JSON.parse(textOf(result))]).toEqual([
      false,
      { data: { product: { id: '7', name: 'Product 7', price: 100 } } },
    ]);
    await expect(client.callTool({ name: '../Top\u0000\n"🙂' })).rejects.toMatchObject({ code: -32_602 });
    await client.close();
  });
});

describe('The tools', () => {
  it('have mutations where these are allowed, with hints', async () => {
    await start('mutations: true');
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'Rename')?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: false,
    });
    const result = await client.callTool({ name: 'Rename', arguments: { id: '1', name: 'x' } });
    expect(JSON.parse(textOf(result))).toEqual({ data: { rename: { id: '1', name: 'x' } } });
    await client.close();
  });

  it('have no mutation where these are not allowed', async () => {
    await start();
    const response = await send(callOf('Rename', { id: '1', name: 'x' }));
    expect(await response.json()).toMatchObject({ error: { code: -32_602 } });
    expect(gateway.products.received).toEqual([]);
  });

  it('are those that the configuration names, by name or identifier, with its descriptions', async () => {
    await start(
      'operations: [{ name: ProductById }, { name: other, description: The time }, { name: Gone }]',
    );
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ['ProductById', 'One product.\nPrices are in cents.'],
      ['Top', 'The time'],
    ]);
    await client.close();
    await gateway.logged({ unlisted: ['Gone'] });
  });

  it('say in the log which operations are none', async () => {
    await start();
    await namesNow();
    const line = gateway.log.find((each) => 'leftOut' in each);
    const leftOut = line?.['leftOut'] as readonly { readonly id: string }[] | undefined;
    expect(leftOut?.map(({ id }) => id)).toEqual(['deferred', 'broken', 'other']);
  });

  it('follow the manifest', async () => {
    await start();
    expect(await namesNow()).toContain('ProductById');
    const next = `${gateway.manifestPath}.next`;
    await writeFile(next, manifestOf({ now: 'query Now { time }' }));
    await rename(next, gateway.manifestPath);
    await eventually(async () => expect(await namesNow()).toEqual(['Now']));
  });
});

describe('A call', () => {
  it('is logged, measured and counted as of the client mcp', async () => {
    await start();
    await call('ProductById', { id: '7' });
    const lines = gateway.log.filter(({ operation }) => operation === 'ProductById');
    expect(lines).toEqual([
      expect.objectContaining({ route: '/mcp', clientName: 'mcp', operationType: 'query', status: 200 }),
    ]);
    const metrics = await gateway.metrics();
    expect(metrics).toMatch(/meridian_operation_duration_seconds_count\{.*"ProductById".*\} 1/u);
    expect(metrics).toMatch(/route="\/mcp"/u);
  });

  it('keeps the digits of numbers', async () => {
    await start();
    await send(JSON.stringify(callOf('Page', { size: 1, after: 'x' })).replace('"x"', '1e400'));
    const [received] = gateway.products.received;
    expect(Object.values(received?.body.variables ?? {})).toContain(Number.POSITIVE_INFINITY);
  });

  it.each([
    ['an unknown argument', 'Top', { frist: 3 }, /^There is no argument frist: Top takes first$/u],
    ['a wrong argument', 'Top', { first: 'x' }, /^VALIDATION_INVALID_TYPE_VARIABLE: .*first/u],
    [
      'a page that is too large',
      'Top',
      { first: 1000 },
      /PAGE_SIZE_LIMIT: .*\nAsk for less: a smaller first\.$/u,
    ],
    [
      'a response that is too long',
      'Page',
      { size: 90 },
      /^The response has \d+ bytes, more than the 900 that are allowed\. Ask for less: a smaller size, then the next page with after\.$/u,
    ],
    ['one without a size of a page', 'Plain', {}, /Ask for less: this operation has no size of a page/u],
  ])('with %s is an error that says what to do', async (_name, name, given, text) => {
    await start('max_response_bytes: 900');
    expect(await call(name, given)).toEqual([true, expect.stringMatching(text)]);
  });

  it('is limited in its cost, more than the graph', async () => {
    await start('max_cost: 10');
    expect(await call('Page', { size: 5 })).toEqual([false, expect.stringContaining('"data"')]);
    expect(await call('Page', { size: 50 })).toEqual([
      true,
      expect.stringMatching(/^COST_ESTIMATED_TOO_EXPENSIVE: .*10\nAsk for less: a smaller size/u),
    ]);
    const { body } = await gateway.post({ query: manifest.page, variables: { size: 50 } });
    expect(body.errors).toBeUndefined();
  });

  it('draws on the rate limit of the graph', async () => {
    await start('', 'traffic_shaping: { router: { global_rate_limit: { capacity: 2, interval: 1h } } }');
    await call('ProductById', { id: '1' });
    await gateway.post({ query: 'query T { time }' });
    expect(await call('ProductById', { id: '1' })).toEqual([
      true,
      expect.stringMatching(/^REQUEST_RATE_LIMITED: .*\nTry again in \d+ s\.$/u),
    ]);
  });

  it('has data and masked errors where a part of it failed', async () => {
    await start();
    gateway.reviews.misbehave((response) => {
      response.writeHead(500).end('secret');
    });
    const [isError, text] = await call('Nulled');
    expect([isError, text]).toEqual([false, expect.stringContaining('"topProducts":[null]')]);
    expect(text).toContain('"errors"');
    expect(text).not.toContain('secret');
  });

  it.each([
    ['Plain', 'data is null'],
    ['Time', 'all fields are null'],
  ])('is an error with masked texts where all of it failed: of %s, %s', async (name) => {
    await start();
    gateway.products.misbehave((response) => void response.destroy());
    const [isError, text] = await call(name);
    expect([isError, text]).toEqual([true, expect.stringMatching(/^[A-Z_]+: /u)]);
    expect(text).not.toMatch(/ECONN|socket|127\.0\.0\.1/u);
  });

  it('is cancelled with its subrequests when the client hangs up', async () => {
    await start();
    const received = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<void>();
    gateway.products.misbehave((response) => {
      response.on('close', () => cancelled.resolve());
      received.resolve();
    });
    const client = new AbortController();
    const responded = fetch(at('/mcp'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify(callOf('ProductById', { id: '1' })),
      signal: client.signal,
    }).catch(() => 'aborted');
    await received.promise;
    client.abort();
    await cancelled.promise;
    expect(await responded).toBe('aborted');
  });
});

describe('The endpoint', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

  it.each<[string, unknown, Record<string, string>, number]>([
    ['a batch', [list, list], {}, 400],
    ['JSON that is not valid', '{', {}, 400],
    ['JSON that is too deep', `{"a":${'['.repeat(600)}${']'.repeat(600)}}`, {}, 400],
    ['too many values', { ...list, params: Array.from({ length: 30_000 }, () => 1) }, {}, 400],
    ['a body that is too long', JSON.stringify({ ...list, a: 'x'.repeat(3_000_000) }), {}, 413],
    ['a message that is none', { method: 7 }, {}, 400],
    ['a text', 'tools/list', { 'Content-Type': 'text/plain' }, 415],
    ['a coded body', list, { 'Content-Encoding': 'compress' }, 415],
    ['a body that is not UTF-8', Buffer.from([0x7b, 0xff]), {}, 400],
    ['a client that accepts HTML alone', list, { Accept: 'text/html' }, 406],
    ['a page of another origin', list, { Origin: 'https://evil.example' }, 403],
    ['a page that has rebound its name', list, { Origin: 'http://evil.example', Host: 'evil.example' }, 403],
    ['a revision that it does not know', list, { 'MCP-Protocol-Version': '1999-01-01' }, 400],
    ['a stream of notifications', { ...list, method: 'subscriptions/listen' }, {}, 404],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }, {}, 202],
    ['a cursor of another list', { ...list, params: { cursor: '1e9' } }, {}, 200],
    ['a call without a name', { ...list, method: 'tools/call', params: {} }, {}, 200],
    ['arguments with odd names', callOf('Top', JSON.parse('{"__proto__":1,"":2}') as object), {}, 200],
  ])('responds to %s', async (_name, body, headers, status) => {
    await start();
    const response = await send(body, headers);
    const text = await response.text();
    expect([response.status, text]).toEqual([status, expect.not.stringMatching(/node_modules|\.ts:|zod/iu)]);
    expect(gateway.products.received).toEqual([]);
    // It goes on.
    expect((await send(list)).status).toBe(200);
  });

  it.each(['GET', 'DELETE', 'PUT'])('has no %s: there are no sessions', async (method) => {
    await start();
    const response = await fetch(at('/mcp'), { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('takes calls of pages that cors allows, after their preflight', async () => {
    await start('', 'cors: { policies: [{ origins: [https://app.example] }] }');
    const origin = { Origin: 'https://app.example' };
    const preflight = await fetch(at('/mcp'), {
      method: 'OPTIONS',
      headers: { ...origin, 'Access-Control-Request-Method': 'POST' },
    });
    const response = await send(list, origin);
    expect([preflight, response].map(({ headers }) => headers.get('access-control-allow-origin'))).toEqual([
      'https://app.example',
      'https://app.example',
    ]);
    expect(response.status).toBe(200);
  });

  it('is not there unless it is enabled', async () => {
    await gateway.start({ config: withManifest, manifest });
    expect((await send(list)).status).toBe(404);
    expect((await fetch(at('/.well-known/oauth-protected-resource'))).status).toBe(404);
  });
});
