// Labels of `@override(from:, label:)`: who sets them, and what they decide.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { composeSupergraph } from '@meridian/composition';
import type { TestIdentity } from '@meridian/testing';
import { createTestIdentity, eventually } from '@meridian/testing';

import type { TestCoprocessor } from '../coprocessor/test-coprocessor.ts';
import { startCoprocessor } from '../coprocessor/test-coprocessor.ts';
import { mcpClient, textOf, withManifest } from '../mcp/mcp-client.ts';
import { requestParts } from '../streams/read-parts.ts';
import { startStreamingShop } from '../streams/streaming-shop.ts';
import type { StubSubgraph } from '../support/stub-subgraph.ts';
import { respondJson, startStubSubgraph } from '../support/stub-subgraph.ts';
import type { TestGatewayOptions } from '../support/test-gateway.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@override"])`;
const labels = {
  file: 'on-by-file',
  header: 'by-header',
  claim: 'by-claim',
  code: 'by-code',
  half: 'percent(50)',
  all: 'percent(100)',
};
const names = Object.keys(labels) as (keyof typeof labels)[];
const everyField = `query Fields { item { ${names.join(' ')} } }`;

const gateway = useTestGateway();
let identity: TestIdentity;
let coprocessor: TestCoprocessor;
let old: StubSubgraph;
let fresh: StubSubgraph;

beforeAll(async () => {
  identity = await createTestIdentity();
  coprocessor = await startCoprocessor();
  const item = (owner: string) => ({ id: '1', ...Object.fromEntries(names.map((name) => [name, owner])) });
  const resolversOf = (owner: string) => ({ Item: { __resolveReference: (() => item(owner)) as never } });
  old = await startStubSubgraph('old', {
    sdl: `${link} type Query { item: Item }
      type Item @key(fields: "id") { id: ID!  plain: String  ${names.map((name) => `${name}: String`).join(' ')} }`,
    resolvers: { ...resolversOf('old'), Query: { item: () => ({ ...item('old'), plain: 'old' }) } },
  });
  fresh = await startStubSubgraph('fresh', {
    sdl: `${link} type Item @key(fields: "id") { id: ID!  ${names
      .map((name) => `${name}: String @override(from: "old", label: "${labels[name]}")`)
      .join(' ')} }`,
    resolvers: resolversOf('fresh'),
  });
});
afterEach(() => {
  coprocessor.reset();
  old.reset();
  fresh.reset();
});
afterAll(() => Promise.all([old, fresh, coprocessor, identity].map((part) => part.close())));

async function start(config: string, options: TestGatewayOptions = {}): Promise<void> {
  await gateway.start({
    ...options,
    config: `${config}
authentication: { router: { jwt: { jwks: [{ url: '${identity.jwksUrl.href}', issuers: ['${identity.issuer}'] }] } } }`,
    env: { NODE_ENV: 'development' },
    async prepare(directory) {
      const subgraphs = [old, fresh].map(({ name, url, sdl }) => ({ name, routingUrl: url, sdl }));
      const path = join(directory, 'labels.graphql');
      await writeFile(path, composeSupergraph(subgraphs).supergraphSdl ?? '');
      return { SUPERGRAPH_PATH: path, ...(await options.prepare?.(directory)) };
    },
  });
}

/** The fields that the new subgraph has given. */
function movedIn(data: unknown): readonly string[] {
  const { item } = data as { readonly item: Readonly<Record<string, string>> };
  return names.filter((name) => item[name] === 'fresh' && name !== 'half');
}

async function moved(headers: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const { body } = await gateway.post({ query: everyField }, headers);
  expect(body.errors).toBeUndefined();
  return movedIn(body.data);
}

const rules = `
  on-by-file: true
  by-header: { eq: [{ request_header: x-trial }, 'yes'] }
  by-claim: { claim: { name: policies, values: [pro, team] } }`;
const withRules = `meridian: { override_labels: { ${rules.trim().split('\n').join(',')} } }`;

describe('A label', () => {
  it('is set by the file, for each request, by a condition or by a claim', async () => {
    await start(withRules);

    expect(await moved()).toEqual(['file', 'all']);
    expect(await moved({ 'x-trial': 'yes' })).toEqual(['file', 'header', 'all']);
    expect(await moved({ 'x-trial': 'no' })).toEqual(['file', 'all']);
    for (const [policies, isSet] of [
      [['pro'], true],
      [['free', 'team'], true],
      [['free'], false],
    ] as const) {
      const authorization = `Bearer ${await identity.token({ policies })}`;
      expect(await moved({ authorization })).toEqual(['file', ...(isSet ? ['claim'] : []), 'all']);
    }
  });

  it('of a percentage is drawn for each request, unless the file decides it', async () => {
    const draw = async (): Promise<unknown> => {
      const { body } = await gateway.post({ query: 'query Half { item { half } }' });
      return (body.data as { item: { half: string } }).item.half;
    };
    await start('');
    const drawn = new Set<unknown>();
    await eventually(async () => expect(drawn.add(await draw()).size).toBe(2));

    await start(`meridian: { override_labels: { 'percent(100)': false, 'percent(50)': true } }`);
    expect(await moved()).toEqual([]);
    expect(await draw()).toBe('fresh');
  });

  it('is set by a hook, where the file does not decide it', async () => {
    await start(`${withRules.slice(0, -1)}, hooks: ./hooks.ts }`, {
      async prepare(directory) {
        const code = `export default { supergraph: { request({ context }) {
          context.set('apollo::progressive_override::labels_to_override',
            [...context.get('apollo::progressive_override::unresolved_labels'), 'by-header']);
        } } };`;
        await writeFile(join(directory, 'hooks.ts'), code);
        return {};
      },
    });

    expect(await moved()).toEqual(['file', 'code', 'all']);
  });

  it.each([
    ['all', 'apollo::progressive_override::'],
    ['deprecated', 'apollo_override::'],
  ])(
    'is set by a coprocessor with context: %s, which sees the labels that the operation had',
    async (context, prefix) => {
      coprocessor.respond((message) => {
        const { entries = {} } = message.context ?? {};
        if (message.stage === 'SupergraphRequest') {
          entries[`${prefix}labels_to_override`] = ['by-code', 'unknown'];
        }
        return message;
      });
      await start(`
coprocessor:
  url: ${coprocessor.url}
  supergraph: { request: { context: ${context} }, response: { context: ${context} } }`);

      expect(await moved()).toEqual(['code', 'all']);
      const [request, response] = ['SupergraphRequest', 'SupergraphResponse'].map(
        (stage) => coprocessor.at(stage)[0]?.context?.entries ?? {},
      );
      expect(request?.[`${prefix}unresolved_labels`]).toEqual([
        'on-by-file',
        'by-header',
        'by-claim',
        'by-code',
      ]);
      expect(response?.[`${prefix}labels_to_override`]).toEqual(
        expect.arrayContaining(['by-code', 'percent(100)']),
      );
      expect(response?.[`${prefix}labels_to_override`]).not.toContain('unknown');
    },
  );

  it('of a field that an operation does not touch is not drawn, nor part of its plan', async () => {
    await start(withRules);

    const { body } = await gateway.post({ query: 'query Plain { item { plain } }' }, { 'x-trial': 'yes' });
    expect(body.data).toEqual({ item: { plain: 'old' } });
    expect(fresh.received).toEqual([]);
  });

  it('that no field has is logged, and one whose rule is wrong stops the start', async () => {
    await start('meridian: { override_labels: { by-heder: true } }');
    expect(gateway.log).toContainEqual(
      expect.objectContaining({ unknownLabels: ['by-heder'], labels: expect.arrayContaining(['by-header']) }),
    );

    const faultOf = async (rule: string): Promise<unknown> =>
      await gateway.start({ config: `meridian: { override_labels: { a: ${rule} } }` }).catch(String);
    expect(await faultOf('maybe')).toMatch(/meridian\.override_labels\.a.*takes true, false, or one of eq/su);
    expect(await faultOf('{ claim: { name: plan } }')).toMatch(
      /meridian\.override_labels\.a\.claim\.values: is required/u,
    );
    expect(await faultOf('{ claim: { name: plan, values: [pro] } }')).toMatch(
      /meridian\.override_labels\.a\.claim: needs authentication\.router\.jwt/u,
    );
    expect(await faultOf('{ eq: [{ response_status: code }, 200] }')).toMatch(
      /meridian\.override_labels\.a/u,
    );
    const apollo = `meridian: { executor: apollo, override_labels: { a: true } }`;
    await expect(gateway.start({ config: apollo })).rejects.toThrow('meridian.override_labels: needs');
  });
});

describe('A response to a GET', () => {
  it('varies by the header fields that decided its labels, and is not stored where no field alone decides', async () => {
    const field = (name: string): string => `eq: [{ request_header: ${name} }, 'yes']`;
    await start(`
meridian:
  override_labels:
    by-header: { any: [{ ${field('X-Trial')} }, { ${field('x-other')} }] }
    by-claim: { claim: { name: policies, values: [pro] } }
    by-code: { eq: [{ request_context: 'apollo::telemetry::client_name' }, 'web'] }`);
    const fieldsOf = async (
      selection: string,
      headers: Readonly<Record<string, string>> = {},
    ): Promise<{ readonly vary: string; readonly isStored: boolean; readonly status: number }> => {
      const url = new URL(gateway.url);
      url.searchParams.set('query', `query Q { item { ${selection} } }`);
      const response = await fetch(url, { headers: { 'apollo-require-preflight': 'true', ...headers } });
      const { status } = response;
      const vary = response.headers.get('vary')?.replace(/, Accept-Encoding$/u, '') ?? '';
      return { vary, isStored: response.headers.has('etag'), status };
    };
    const stored = { status: 200, isStored: true };

    expect(await fieldsOf('plain')).toEqual({ ...stored, vary: 'Accept, Authorization' });
    expect(await fieldsOf('header')).toEqual({ ...stored, vary: 'Accept, Authorization, x-trial, x-other' });
    expect(await fieldsOf('header', { 'x-trial': 'yes' })).toEqual({
      ...stored,
      vary: 'Accept, Authorization, x-trial',
    });
    expect(await fieldsOf('claim')).toEqual({ ...stored, vary: 'Accept, Authorization' });
    expect(await fieldsOf('code')).toMatchObject({ status: 200, isStored: false });
  });
});

describe('Equal requests in flight', () => {
  it('are run once where they have the same labels, and not where they have others', async () => {
    await start(withRules);
    const query = { query: 'query Shared { item { header } }' };
    const { promise, resolve } = Promise.withResolvers<void>();
    old.misbehave(async (response) => {
      await promise;
      respondJson(response, { data: { item: { header: 'old', __typename: 'Item', id: '1' } } });
    });
    const sent = [{}, {}, { 'x-trial': 'yes' }, { 'x-trial': 'yes' }].map((headers) =>
      gateway.post(query, headers),
    );
    await eventually(() => expect(old.received).toHaveLength(2));
    resolve();
    const responses = await Promise.all(sent);

    expect(responses.map(({ body }) => body.data?.['item'])).toEqual(
      ['old', 'old', 'fresh', 'fresh'].map((header) => ({ header })),
    );
    expect([old.received.length, fresh.received.length]).toEqual([2, 1]);
  });
});

describe('The labels of a request', () => {
  it('are in its explanation', async () => {
    const secret = 'a-secret-of-its-own-long-enough';
    await start(`${withRules.slice(0, -1)}, explain: { enabled: true, secret: ${secret} } }`);
    const { headers } = await gateway.post(
      { query: 'query Q { item { header claim } }' },
      { 'x-trial': 'yes' },
    );
    const url = `${gateway.adminUrl}/explain?id=${headers.get('apollo-trace-id')}`;
    const ask = async (accept: string): Promise<string> => {
      const response = await fetch(url, { headers: { accept, authorization: `Bearer ${secret}` } });
      expect(response.status).toBe(200);
      return await response.text();
    };
    await eventually(async () =>
      expect(JSON.parse(await ask('application/json'))).toEqual([
        expect.objectContaining({ labels: { 'by-header': true, 'by-claim': false } }),
      ]),
    );
    expect(await ask('text/plain')).toMatch(/Label by-header +set\n.*Label by-claim +not set/su);
  });

  it('count for each operation of a batch', async () => {
    await start(`batching: { enabled: true, mode: batch_http_link }\n${withRules}`);
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-trial': 'yes' },
      body: JSON.stringify([{ query: everyField }, { query: 'query Plain { item { plain } }' }]),
    });
    const [first, second] = (await response.json()) as { data: unknown }[];
    expect(movedIn(first?.data)).toEqual(['file', 'header', 'all']);
    expect(second?.data).toEqual({ item: { plain: 'old' } });
  });

  it('count for fragments with @defer', async () => {
    await start(withRules);
    const headers = { Accept: 'multipart/mixed;deferSpec=20220824', 'x-trial': 'yes' };
    const query = 'query Later { item { id ... @defer { header claim } } }';
    const { parts } = await requestParts(gateway.url, { query }, { headers });
    const received = [];
    for await (const part of parts) {
      received.push(part);
    }
    expect(JSON.stringify(received)).toContain('"data":{"header":"fresh","claim":"old"}');
  });

  it('count for tools', async () => {
    await start(
      `${withManifest}\n${withRules.slice(0, -1)}, mcp: { enabled: true, allow_anonymous: true, audiences: [tools] } }`,
      {
        manifest: { fields: everyField },
      },
    );
    const client = await mcpClient(gateway).connect();
    const result = await client.callTool({ name: 'Fields', arguments: {} });
    await client.close();
    expect(movedIn((JSON.parse(textOf(result)) as { data: unknown }).data)).toEqual(['file', 'all']);
  });

  it('follow the rules of the graph that it is for', async () => {
    await start(
      `${withRules.slice(0, -1)}, graphs: { one: { path: /graphql }, two: { path: /two, config: "\${env.TWO}" } } }`,
      {
        async prepare(directory) {
          const path = join(directory, 'two.yaml');
          await writeFile(path, 'meridian: { override_labels: { on-by-file: false, by-code: true } }');
          return { TWO: path };
        },
      },
    );
    const ofTwo = await fetch(new URL('/two', gateway.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-trial': 'yes' },
      body: JSON.stringify({ query: everyField }),
    });
    expect(movedIn(((await ofTwo.json()) as { data: unknown }).data)).toEqual(['header', 'code', 'all']);
    expect(await moved()).toEqual(['file', 'all']);
  });

  it('are those that a subscription began with, for all its events', async () => {
    const shop = await startStreamingShop({
      config: '',
      ownSubscription: '}, override_labels: { notes: { eq: [{ request_header: x-trial }, "yes"] }',
    });
    const query = 'subscription Notes { priceChanged(id: "p1") { price note } }';
    const noteOf = async (headers: Record<string, string>): Promise<unknown> => {
      const accept = { Accept: 'multipart/mixed;subscriptionSpec=1.0', ...headers };
      const { parts, leave } = await requestParts(shop.gateway.url, { query }, { headers: accept });
      await shop.subscribers(1);
      shop.feed.push('p1', 3);
      for await (const part of parts) {
        leave();
        await shop.subscribers(0);
        return (part as { payload: { data: { priceChanged: { note: string } } } }).payload.data.priceChanged
          .note;
      }
      return undefined;
    };

    expect(await noteOf({})).toMatch(/^x+$/u);
    expect(await noteOf({ 'x-trial': 'yes' })).toBe('a note that has moved');
    await shop.close();
  });

  it('are planned ahead for the operations of the manifest', async () => {
    const query = 'query Header { item { header claim } }';
    const planned = async (): Promise<string | undefined> =>
      /apollo_router_query_planning_plan_duration_count\{[^}]*\} (\d+)/u.exec(await gateway.metrics())?.[1];
    const prewarmed = withManifest.replace(
      '{',
      '{ experimental_prewarm_query_plan_cache: { on_startup: true },',
    );
    await start(`${prewarmed}\n${withRules}`, { manifest: { header: query } });
    const before = await planned();
    for (const headers of [{}, { 'x-trial': 'yes' }]) {
      await gateway.post({ query }, headers);
    }
    expect([before, await planned()]).toEqual(['4', '4']);
  });
});
