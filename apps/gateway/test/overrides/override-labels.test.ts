// Labels of `@override(from:, label:)`: who sets them, and what they decide.
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from '@jest/globals';
import { createTestIdentity, eventually } from '@meridian/testing';

import { startCoprocessor } from '../coprocessor/test-coprocessor.ts';
import { mcpClient, textOf, withManifest } from '../mcp/mcp-client.ts';
import { requestParts } from '../streams/read-parts.ts';
import { startStreamingShop } from '../streams/streaming-shop.ts';
import { respondJson, startStubSubgraph } from '../support/stub-subgraph.ts';
import type { TestGatewayOptions } from '../support/test-gateway.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { compose } from '../support/compose.ts';
import { useInSuite } from '../support/use-in-suite.ts';

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
const identity = useInSuite(createTestIdentity);
const coprocessor = useInSuite(startCoprocessor);
const item = (owner: string) => ({ id: '1', ...Object.fromEntries(names.map((name) => [name, owner])) });
const resolversOf = (owner: string) => ({ Item: { __resolveReference: (() => item(owner)) as never } });
const old = useInSuite(() =>
  startStubSubgraph('old', {
    sdl: `${link} type Query { item: Item }
      type Item @key(fields: "id") { id: ID!  plain: String  ${names.map((name) => `${name}: String`).join(' ')} }`,
    resolvers: { ...resolversOf('old'), Query: { item: () => ({ ...item('old'), plain: 'old' }) } },
  }),
);
const fresh = useInSuite(() =>
  startStubSubgraph('fresh', {
    sdl: `${link} type Item @key(fields: "id") { id: ID!  ${names
      .map((name) => `${name}: String @override(from: "old", label: "${labels[name]}")`)
      .join(' ')} }`,
    resolvers: resolversOf('fresh'),
  }),
);
afterEach(() => {
  coprocessor.reset();
  old.reset();
  fresh.reset();
});

async function start(config: string, options: TestGatewayOptions = {}): Promise<void> {
  await gateway.start({
    ...options,
    config: `${config}
authentication: { router: { jwt: { jwks: [{ url: '${identity.jwksUrl.href}', issuers: ['${identity.issuer}'] }] } } }`,
    env: { NODE_ENV: 'development' },
    async prepare(directory) {
      const subgraphs = [old, fresh].map(({ name, url, sdl }) => ({ name, routingUrl: url, sdl }));
      const path = join(directory, 'labels.graphql');
      await writeFile(path, compose(subgraphs));
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
const prewarmed = withManifest.replace('{', '{ experimental_prewarm_query_plan_cache: { on_startup: true },');
const planned = async (): Promise<string | undefined> =>
  /apollo_router_query_planning_plan_duration_count\{[^}]*\} (\d+)/u.exec(await gateway.metrics())?.[1];

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

  it('stays one that the next request can set, whatever a hook does to the list of them', async () => {
    await start('meridian: { hooks: ./hooks.ts }', {
      async prepare(directory) {
        const code = `export default { supergraph: { request({ context }) {
          context.set('apollo::progressive_override::labels_to_override',
            context.get('apollo::progressive_override::unresolved_labels').splice(0));
        } } };`;
        await writeFile(join(directory, 'hooks.ts'), code);
        return {};
      },
    });

    const all = ['file', 'header', 'claim', 'code', 'all'];
    expect([await moved(), await moved()]).toEqual([all, all]);
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

  it('that no field has is logged, and one whose rule is wrong stops the start', async () => {
    await start('meridian: { override_labels: { by-heder: true } }');
    await gateway.logged({ unknownLabels: ['by-heder'], labels: expect.arrayContaining(['by-header']) });

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
  it('are in its explanation: only the labels of its fields', async () => {
    const secret = 'a-secret-of-its-own-long-enough';
    await start(`${withRules.slice(0, -1)}, explain: { enabled: true, secret: ${secret} } }`);
    const { headers } = await gateway.post(
      { query: 'query Q { item { header claim } }' },
      { 'x-trial': 'yes' },
    );
    const ask = async (accept: string, of = headers): Promise<string> => {
      const url = `${gateway.adminUrl}/explain?id=${of.get('apollo-trace-id')}`;
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

    const plain = await gateway.post({ query: 'query Plain { item { plain } }' });
    await eventually(async () =>
      expect(JSON.parse(await ask('application/json', plain.headers))).toEqual([
        expect.not.objectContaining({ labels: expect.anything() }),
      ]),
    );
  });

  it('count for each operation of a batch', async () => {
    await start(`batching: { enabled: true, mode: batch_http_link }\n${withRules}`);
    const response = await gateway.send(
      [{ query: everyField }, { query: 'query Plain { item { plain } }' }],
      { 'x-trial': 'yes' },
    );
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
    await using shop = await startStreamingShop({
      config: '',
      ownSubscription: '}, override_labels: { notes: { eq: [{ request_header: x-trial }, "yes"] }',
    });
    const { gateway: own, feed } = shop;
    const query = 'subscription Notes { priceChanged(id: "p1") { note } }';
    const streams = await Promise.all(
      [{}, { 'x-trial': 'yes' }].map(async (headers) => {
        const accept = { Accept: 'multipart/mixed;subscriptionSpec=1.0', ...headers };
        const { parts, leave } = await requestParts(own.url, { query }, { headers: accept });
        return { events: parts[Symbol.asyncIterator](), leave };
      }),
    );
    await shop.subscribers(2);
    const notes = async (): Promise<unknown> => {
      feed.push('p1', 3);
      return await Promise.all(streams.map(async ({ events }) => (await events.next()).value));
    };
    const noteOf = (note: unknown): unknown =>
      expect.objectContaining({ payload: expect.objectContaining({ data: { priceChanged: { note } } }) });
    const expected = [noteOf(expect.stringMatching(/^x+$/u)), noteOf('a note that has moved')];

    expect(await notes()).toEqual(expected);
    await appendFile(own.supergraphPath.replace('supergraph.graphql', 'streaming.graphql'), '\n# changed\n');
    await own.logged({ msg: 'supergraph reloaded' });
    expect(await notes()).toEqual(expected);

    for (const { leave } of streams) {
      leave();
    }
  });

  it.each([
    ['conditions', withRules, 'query Of { item { header claim } }', 4],
    ['a percentage', '', 'query Of { item { half all } }', 2],
    ['nothing', '', 'query Of { item { header claim all } }', 1],
    ['code', `${withRules.slice(0, -1)}, hooks: ./hooks.ts }`, 'query Of { item { code all } }', 2],
  ])('are planned ahead for the operations of the manifest: set by %s', async (_by, config, query, plans) => {
    await start(`${prewarmed}\n${config}`, {
      manifest: { of: query },
      async prepare(directory) {
        await writeFile(join(directory, 'hooks.ts'), 'export default { router: { request() {} } };');
        return {};
      },
    });
    const before = await planned();
    for (const headers of [{}, { 'x-trial': 'yes' }]) {
      await gateway.post({ query }, headers);
    }
    expect([before, await planned()]).toEqual([`${plans}`, `${plans}`]);
  });

  it('leave an operation runnable that some of them cannot run', async () => {
    const limit = `${withRules.slice(0, -1)}, limits: { max_subgraph_fetches: 1 } }`;
    await start(`${prewarmed}\n${limit}`, {
      manifest: { some: 'query Some { item { header claim } }', none: 'query None { item { file } }' },
    });
    expect(await gateway.metrics()).toMatch(/^meridian_manifest_unrunnable_operations\S* 1$/mu);
    expect(await planned()).toBe('5');
  });
});
