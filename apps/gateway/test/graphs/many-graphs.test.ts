// Several graphs in one process.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestIdentity, eventually } from '@meridian/testing';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';

import { checkFile } from '../../src/check-config/check-file.ts';
import { shareLoad } from '../../src/graphs/share-load.ts';
import { samplesOf } from '../support/samples.ts';
import { respondJson, startStubSubgraph } from '../support/stub-subgraph.ts';
import type { TestGatewayOptions } from '../support/test-gateway.ts';
import { manifestOf, persisted } from '../support/test-gateway.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { replaceFile } from '../support/replace-file.ts';
import { compose } from '../support/compose.ts';
import { useInSuite } from '../support/use-in-suite.ts';

/** Valid in both graphs. */
const query = 'query A { time }';
const hash = createHash('sha256').update(query).digest('hex');

const identity = useInSuite(createTestIdentity);
/** With the name of one of the shop's subgraphs. */
const stock = useInSuite(() =>
  startStubSubgraph('products', {
    sdl: 'type Query { time: String  stock: Int }',
    resolvers: { Query: { time: () => 'time of the partner', stock: () => 7 } },
  }),
);
/** The folder of the gateway's files. */
let directory: string;
const gateway = useTestGateway();

beforeEach(() => stock.reset());

/** Starts the shop, and a partner's graph that has a supergraph of its own. */
async function start({
  graphs,
  common = '',
  partner = '',
}: {
  readonly graphs: string;
  readonly common?: string;
  readonly partner?: string;
}): Promise<void> {
  await gateway.start({
    config: `meridian: { graphs: ${graphs} }\n${common}`,
    env: { NODE_ENV: 'development', JWKS_URL: identity.jwksUrl.href, JWT_ISSUER: identity.issuer },
    prepare: preparePartner(partner),
  });
}

function preparePartner(config: string): NonNullable<TestGatewayOptions['prepare']> {
  return async (folder) => {
    directory = folder;
    const supergraphSdl = compose([{ name: 'products', routingUrl: stock.url, sdl: stock.sdl }]);
    const files = {
      PARTNER_GRAPH: join(folder, 'partner.graphql'),
      PARTNER_CONFIG: join(folder, 'partner.yaml'),
      PARTNER_MANIFEST: join(folder, 'partner.json'),
    };
    await writeFile(files.PARTNER_GRAPH, supergraphSdl);
    await writeFile(files.PARTNER_CONFIG, config);
    await writeFile(files.PARTNER_MANIFEST, manifestOf({ one: query }));
    return files;
  };
}

const partnerFiles = 'supergraph: "${env.PARTNER_GRAPH}", config: "${env.PARTNER_CONFIG}"';

const jwt = 'authentication: { router: { jwt: { jwks: [{ url: "${env.JWKS_URL}" }] } } }';
/** The partner's graph, for the callers of `bearer`. */
const partnerByClaim = `partner: { claim: { name: policies, values: [partner] }, ${partnerFiles} }`;

async function bearer(
  by = identity,
  policies: readonly unknown[] = ['partner'],
): Promise<{ readonly authorization: string }> {
  return { authorization: `Bearer ${await by.token({ policies })}` };
}

interface ReceivedResponse {
  readonly status: number;
  readonly body: string;
}

/** Sends an operation to a path and a host. */
async function send(
  path: string,
  {
    host,
    method = 'POST',
    body = { query },
    ...headers
  }: {
    readonly host?: string;
    readonly method?: string;
    readonly body?: object;
    readonly authorization?: string;
    readonly accept?: string;
    readonly origin?: string;
  } = {},
): Promise<ReceivedResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedResponse>();
  const sent = request(
    new URL(path, gateway.url),
    {
      method,
      headers: { 'content-type': 'application/json', ...(host !== undefined && { host }), ...headers },
    },
    (response) => {
      text(response).then(
        (received) => resolve({ status: response.statusCode ?? 0, body: received }),
        reject,
      );
    },
  ).on('error', reject);
  sent.end(method === 'POST' ? JSON.stringify(body) : undefined);
  return await promise;
}

/** Calls the tool of the manifest. */
function callTool(credentials: { readonly authorization: string }, path = '/mcp'): Promise<ReceivedResponse> {
  return send(path, {
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'A', arguments: {} } },
    accept: 'application/json, text/event-stream',
    ...credentials,
  });
}

const ofShop = { status: 200, body: '{"data":{"time":"now"}}' };
const ofPartner = { status: 200, body: '{"data":{"time":"time of the partner"}}' };

describe('Graphs by path', () => {
  beforeAll(() =>
    start({
      graphs: `{ shop: { path: /graphql }, partner: { path: /partner, ${partnerFiles} } }`,
      partner: `
persisted_queries: { enabled: true, local_manifests: ["\${env.PARTNER_MANIFEST}"], safelist: { enabled: true } }
supergraph: { introspection: true }`,
    }),
  );

  it('serves each graph at its own path: other schema, safelist and introspection', async () => {
    expect(await send('/graphql')).toEqual(ofShop);
    expect(await send('/partner')).toEqual(ofPartner);
    expect((await send('/partner', { body: { query: 'query B { stock }' } })).body).toContain(
      'QUERY_NOT_IN_SAFELIST',
    );
    expect((await send('/graphql', { body: { query: 'query B { stock }' } })).body).toContain(
      'GRAPHQL_VALIDATION_FAILED',
    );
    expect(
      (await send('/graphql', { body: { query: 'query C { __schema { description } }' } })).body,
    ).toContain('INTROSPECTION_DISABLED');
  });

  it('keeps identifiers and registered hashes of one graph out of the other', async () => {
    expect(await send('/partner', { body: persisted('one') })).toEqual(ofPartner);
    expect((await send('/graphql', { body: persisted('one') })).body).toContain('PERSISTED_QUERY_NOT_FOUND');
    expect(await send('/graphql', { body: { query, ...persisted(hash) } })).toEqual(ofShop);
    expect(await send('/graphql', { body: persisted(hash) })).toEqual(ofShop);
    expect((await send('/partner', { body: persisted(hash) })).body).toContain('PERSISTED_QUERY_NOT_IN_LIST');
  });

  it('responds 404 to a path of neither, with an id and a metric', async () => {
    const { status, body } = await send('/other');
    expect([status, body]).toEqual([404, expect.stringContaining('No graph is at this host and path')]);
    expect((await send('/partner/one')).body).toContain('send the identifier of an operation');
    const metadata = '/.well-known/oauth-protected-resource/partner/mcp';
    expect((await send(metadata)).body).toContain('The graph endpoint is at /partner');
    const errors = samplesOf(await gateway.metrics(), 'apollo_router_graphql_error_total');
    // The ones of the process, which are pushed with it.
    const ofNone = errors.filter(({ labels }) => labels['graph'] === undefined);
    expect(ofNone.map(({ labels }) => labels['code'])).toContain('NOT_FOUND');
  });

  it('names the graph in metrics, in the log and in the health check', async () => {
    await send('/partner');
    const requests = samplesOf(await gateway.metrics(), 'http_server_request_duration_seconds_count');
    expect(requests.map(({ labels }) => [labels['graph'], labels['http_route']])).toEqual(
      expect.arrayContaining([
        ['shop', '/graphql'],
        ['partner', '/partner'],
      ]),
    );
    // Each name has its help once.
    const names = (await gateway.metrics()).match(/^# HELP \S+/gmu) ?? [];
    expect(new Set(names).size).toBe(names.length);
    await gateway.logged({ graph: 'partner', msg: 'request' });
    const health = await fetch(`${gateway.adminUrl}/health`);
    expect(await health.json()).toEqual({
      status: 'UP',
      graphs: { shop: { status: 'UP' }, partner: { status: 'UP' } },
    });
  });

  it('reloads one graph while the other is under load, and keeps the previous one of a bad file', async () => {
    const end = new AbortController();
    const responses: ReceivedResponse[] = [];
    const client = async (): Promise<void> => {
      while (!end.signal.aborted) {
        responses.push(await send('/graphql'));
      }
    };
    const clients = [client(), client()];
    const file = join(directory, 'partner.graphql');
    const sdl = await readFile(file, 'utf8');
    const reloadsOf = (graph: string, msg: string): number =>
      gateway.log.filter((line) => line['graph'] === graph && line['msg'] === msg).length;

    await replaceFile(file, 'type Query {');
    await eventually(() =>
      expect(reloadsOf('partner', 'invalid supergraph rejected; keeping the previous one')).toBe(1),
    );
    expect(await send('/partner')).toEqual(ofPartner);
    await replaceFile(file, sdl.replace(/\n\s*stock: Int[^\n]*/u, ''));
    await eventually(() => expect(reloadsOf('partner', 'supergraph reloaded')).toBe(1));
    await replaceFile(join(directory, 'partner.yaml'), 'limits: { max_depth: nothing }');
    await eventually(() =>
      expect(reloadsOf('partner', 'invalid configuration rejected; keeping the previous one')).toBe(1),
    );
    await replaceFile(join(directory, 'partner.yaml'), 'supergraph: { listen: "127.0.0.1:1" }');
    await eventually(() =>
      expect(reloadsOf('partner', 'invalid configuration rejected; keeping the previous one')).toBe(2),
    );
    await replaceFile(join(directory, 'partner.yaml'), 'limits: { max_root_fields: 1 }');
    await eventually(() => expect(reloadsOf('partner', 'configuration reloaded')).toBe(1));
    end.abort();
    await Promise.all(clients);

    expect(new Set(responses.map((response) => JSON.stringify(response)))).toEqual(
      new Set([JSON.stringify(ofShop)]),
    );
    expect(
      gateway.log.filter((line) => line['graph'] === 'shop' && String(line['msg']).includes('reloaded')),
    ).toEqual([]);
    expect((await send('/partner', { body: { query: 'query B { stock }' } })).body).toContain(
      'Cannot query field',
    );
    expect((await send('/partner', { body: { query: 'query B { a: time b: time }' } })).body).toContain(
      'MAX_ROOT_FIELDS_LIMIT',
    );
  });
});

describe('Graphs by host', () => {
  beforeAll(() =>
    start({
      graphs: `{ shop: { hosts: [Shop.example.] }, partner: { hosts: [partner.example, "[::1]"], ${partnerFiles} } }`,
    }),
  );

  it.each([
    ['shop.example', ofShop],
    ['SHOP.EXAMPLE:8443', ofShop],
    ['shop.example.', ofShop],
    ['partner.example', ofPartner],
    ['[::1]:4000', ofPartner],
  ])('serves the graph of %s', async (host, response) => {
    expect(await send('/graphql', { host })).toEqual(response);
  });

  it.each(['evil.example', 'partner.example.evil.example', 'xpartner.example', 'partner.example:80:80', ''])(
    'serves no graph at "%s"',
    async (host) => {
      expect((await send('/graphql', { host })).status).toBeGreaterThanOrEqual(400);
    },
  );

  it.each([
    ['two Host fields', 'POST /graphql HTTP/1.1\r\nHost: shop.example\r\nHost: partner.example', 400, ''],
    [
      'a target of another host',
      'POST http://partner.example/graphql HTTP/1.1\r\nHost: shop.example',
      200,
      'partner',
    ],
    [
      'a field of proxies',
      'POST /graphql HTTP/1.1\r\nHost: shop.example\r\nX-Forwarded-Host: partner.example\r\nForwarded: host=partner.example',
      200,
      'now',
    ],
  ])('is not misled by %s', async (_name, head, status, content) => {
    const body = JSON.stringify({ query });
    const { hostname, port } = new URL(gateway.url);
    const socket = createConnection(Number(port), hostname);
    socket.write(
      `${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    const received = await text(socket);
    expect(received).toContain(`HTTP/1.1 ${status} `);
    expect(received).toContain(content);
  });
});

describe('Graphs by claim', () => {
  it('serves the graph of a verified claim, and the one for others without it', async () => {
    await start({ common: jwt, graphs: `{ shop: {}, ${partnerByClaim} }` });
    const token = (policies: readonly unknown[]) => bearer(identity, policies);
    expect(await send('/graphql', await token(['audit', 'partner']))).toEqual(ofPartner);
    expect(await send('/graphql', await token(['partners']))).toEqual(ofShop);
    expect(await send('/graphql', await token([['partner']]))).toEqual(ofShop);
    expect(await send('/graphql')).toEqual(ofShop);
    const forged = (await token(['partner'])).authorization.replace(/.{8}$/u, 'AAAAAAAA');
    expect((await send('/graphql', { authorization: forged })).status).toBe(401);
    expect((await send('/graphql', { method: 'OPTIONS', origin: 'https://page.example' })).status).toBe(405);
  });

  it('responds 401 without a token, and 404 to another claim, where no graph is for others', async () => {
    await start({ common: jwt, graphs: `{ ${partnerByClaim} }` });
    expect((await send('/graphql')).status).toBe(401);
    expect((await send('/graphql', await bearer(identity, []))).status).toBe(404);
    expect(await send('/graphql', await bearer())).toEqual(ofPartner);
  });
});

describe('The verification of a claim', () => {
  const graphs = `{ ${partnerByClaim} }`;

  it('counts bad tokens against their peer', async () => {
    const common = `${jwt}\ntraffic_shaping: { router: { global_rate_limit: { capacity: 2, interval: 1h } } }`;
    await start({ graphs, common });
    const statuses: number[] = [];
    for (let count = 0; count < 4; count += 1) {
      statuses.push((await send('/graphql', { authorization: 'Bearer bad' })).status);
    }
    expect(statuses).toEqual([401, 401, 429, 429]);
    expect(await send('/graphql', await bearer())).toEqual(ofPartner);
  });

  it('has the keys and the limits of a changed router.yaml', async () => {
    await using other = await createTestIdentity();
    await start({ graphs, common: jwt });
    expect((await send('/graphql', await bearer(other))).status).toBe(401);
    await replaceFile(
      gateway.configPath,
      `meridian: { graphs: ${graphs} }
authentication: { router: { jwt: { jwks: [{ url: "${other.jwksUrl.href}", issuers: ["${other.issuer}"] }] } } }
traffic_shaping: { router: { global_rate_limit: { capacity: 10, interval: 1h } } }`,
    );
    await eventually(async () => expect(await send('/graphql', await bearer(other))).toEqual(ofPartner));
    const old = await bearer();
    const statuses: number[] = [];
    // A request that arrived in the middle of the reload may have used some of the capacity up.
    while (statuses.length <= 10 && statuses.at(-1) !== 429) {
      statuses.push((await send('/graphql', old)).status);
    }
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
  });

  it('is not needed for the metadata of tools', async () => {
    await start({
      graphs,
      common: jwt,
      partner: `
persisted_queries: { enabled: true, local_manifests: ["\${env.PARTNER_MANIFEST}"] }
meridian: { mcp: { enabled: true, audiences: [tools] } }`,
    });
    const metadata = await send('/.well-known/oauth-protected-resource/mcp', { method: 'GET' });
    expect([metadata.status, metadata.body]).toEqual([200, expect.stringContaining('/mcp"')]);
    expect((await send('/mcp', { body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })).status).toBe(401);
  });

  it('takes tokens for tools, which have another audience, at their path alone', async () => {
    await start({
      graphs: `{ shop: {}, ${partnerByClaim} }`,
      common: jwt.replace(' }]', ', audiences: [graph] }]'),
      partner: `
persisted_queries: { enabled: true, local_manifests: ["\${env.PARTNER_MANIFEST}"] }
meridian: { mcp: { enabled: true, audiences: [meridian] } }`,
    });
    const called = await callTool(await bearer());
    expect([called.status, called.body]).toEqual([200, expect.stringContaining('time of the partner')]);
    expect((await send('/graphql', await bearer())).status).toBe(401);
  });

  it('takes tokens for tools by the keys and audiences of changed files', async () => {
    await using other = await createTestIdentity();
    const common = jwt.replace(' }]', ', audiences: [graph] }]');
    const chosen = `{ shop: {}, ${partnerByClaim} }`;
    const partner = `
persisted_queries: { enabled: true, local_manifests: ["\${env.PARTNER_MANIFEST}"] }
meridian: { mcp: { enabled: true, audiences: [meridian] } }`;
    const statuses = async (): Promise<readonly number[]> => [
      (await callTool(await bearer())).status,
      (await callTool(await bearer(other))).status,
    ];
    await start({ graphs: chosen, common, partner });
    expect(await statuses()).toEqual([200, 401]);
    const keys = common.replace('${env.JWKS_URL}', other.jwksUrl.href);
    await replaceFile(gateway.configPath, `meridian: { graphs: ${chosen} }\n${keys}`);
    await eventually(async () => expect(await statuses()).toEqual([401, 200]));
    await replaceFile(join(directory, 'partner.yaml'), partner.replace('[meridian]', '[tools]'));
    await eventually(async () => expect(await statuses()).toEqual([401, 401]));
  });

  it('takes a token for the tools of one graph at no other one', async () => {
    const manifest = 'persisted_queries: { enabled: true, local_manifests: ["${env.PARTNER_MANIFEST}"] }';
    await start({
      graphs: `{ shop: {}, partner: { path: /partner, ${partnerFiles} } }, mcp: { enabled: true, audiences: [tools] }`,
      common: `${jwt.replace(' }]', ', audiences: [graph] }]')}\n${manifest}`,
      partner: 'meridian: { mcp: { path: /partner/mcp, audiences: [meridian] } }',
    });
    const called = await callTool(await bearer(), '/partner/mcp');
    expect([called.status, called.body]).toEqual([200, expect.stringContaining('time of the partner')]);
    expect((await callTool(await bearer())).status).toBe(401);
  });

  it('takes the usual tokens at the path of tools for a graph whose tools have no other audience', async () => {
    await start({
      graphs: `{ shop: {}, ${partnerByClaim} }, mcp: { enabled: true }`,
      common: `${jwt.replace(' }]', ', audiences: [meridian] }]')}
persisted_queries: { enabled: true, local_manifests: ["\${env.PARTNER_MANIFEST}"] }`,
      partner: 'meridian: { mcp: { audiences: [tools] } }',
    });
    const called = await callTool(await bearer(identity, []));
    expect([called.status, called.body]).toEqual([200, expect.stringContaining('now')]);
    expect((await callTool(await bearer())).status).toBe(401);
  });
});

describe('WebSockets of several graphs', () => {
  const streaming =
    'subscription: { enabled: true, mode: { passthrough: { all: { path: /ws } } } }\ncors: { allow_any_origin: true }';

  /** The response to a query over a WebSocket of a foreign page; rejects where it is refused. */
  async function ask(
    connectionParams: Record<string, unknown> = {},
    { path = '/graphql', host = 'a.example' } = {},
  ): Promise<unknown> {
    class ForeignPage extends WebSocket {
      constructor(url: string, protocols: string) {
        super(url, protocols, { headers: { host, origin: 'https://page.example' } });
      }
    }
    const client = createClient({
      url: new URL(path, gateway.url).href.replace('http', 'ws'),
      webSocketImpl: ForeignPage,
      retryAttempts: 0,
      connectionParams,
    });
    try {
      const { value } = await client.iterate({ query }).next();
      return value as unknown;
    } finally {
      await client.dispose();
    }
  }
  const refused = expect.objectContaining({ message: expect.stringContaining('400') });

  it.each([
    ['of a page that it does not allow', 'cors: { allow_any_origin: false, policies: [] }'],
    ['where it serves no subscriptions', 'subscription: { enabled: false }'],
  ])('are refused %s, whatever the rules of the others', async (_name, partner) => {
    await start({
      graphs: `{ shop: {}, partner: { hosts: [strict.example], ${partnerFiles} } }`,
      common: streaming,
      partner,
    });
    expect(await ask()).toEqual(JSON.parse(ofShop.body));
    await expect(ask({}, { host: 'strict.example' })).rejects.toEqual(refused);
  });

  it('are for the graph of their path or their token, by its own rules and issuers', async () => {
    const graphs = `{ shop: {}, ${partnerByClaim}, other: { path: /other, ${partnerFiles} } }`;
    const common = `${streaming}\n${jwt}`;
    const token = await bearer();
    await start({ graphs, common });
    expect(await ask()).toEqual(JSON.parse(ofShop.body));
    expect(await ask(token)).toEqual(JSON.parse(ofPartner.body));
    expect(await ask({}, { path: '/other' })).toEqual(JSON.parse(ofPartner.body));
    await expect(ask({ authorization: 'Bearer bad' })).rejects.toMatchObject({ code: 4403 });

    await start({ graphs, common, partner: 'cors: { allow_any_origin: false }' });
    expect(await ask()).toEqual(JSON.parse(ofShop.body));
    await expect(ask(token)).rejects.toMatchObject([
      { message: expect.stringContaining('Pages of this origin may not connect') },
    ]);

    await start({ graphs, common, partner: jwt.replace(' }]', ', audiences: [x] }]') });
    await expect(ask(token)).rejects.toMatchObject({ code: 4403 });
  });
});

describe('Plans on disk', () => {
  it('are in a folder for each graph', async () => {
    const plans = await mkdtemp(join(tmpdir(), 'meridian-plans-'));
    try {
      await start({
        graphs: `{ shop: { path: /graphql }, partner: { path: /partner, ${partnerFiles} } }, plan_cache: { path: ${plans} }`,
      });
      expect(await send('/graphql')).toEqual(ofShop);
      expect(await send('/partner')).toEqual(ofPartner);
      await eventually(async () => expect((await readdir(plans)).toSorted()).toEqual(['partner', 'shop']));
    } finally {
      await rm(plans, { recursive: true });
    }
  });
});

describe('A graph that has too much to do', () => {
  const graphs = `{ shop: { path: /graphql }, partner: { path: /partner, ${partnerFiles} } }`;

  it('leaves the others their share of the process', async () => {
    await start({ graphs, common: 'traffic_shaping: { router: { concurrency_limit: 2 } }' });
    const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
    stock.misbehave(async (response) => {
      await isFree;
      respondJson(response, { data: { time: 'late' } });
    });
    const held = ['B', 'C'].map((name) => send('/partner', { body: { query: `query ${name} { time }` } }));
    await eventually(() => expect(stock.received).toHaveLength(2));

    const rejected = await send('/partner');
    expect([rejected.status, rejected.body]).toEqual([
      503,
      expect.stringContaining('REQUEST_CONCURRENCY_LIMITED'),
    ]);
    expect(await send('/graphql')).toEqual(ofShop);
    free();
    const late = { status: 200, body: '{"data":{"time":"late"}}' };
    expect(await Promise.all(held)).toEqual([late, late]);
    expect(await send('/graphql')).toEqual(ofShop);
  });

  it('keeps its count when the limits of the process change', () => {
    const limits = { maxInFlight: undefined, maxEventLoopDelayMs: 100, maxBodyBytes: 100 };
    const load = shareLoad({ ...limits, maxInFlight: 1, maxBodyBytes: 1 });
    const ofGraph = load.createLoadOf('shop')(limits, () => 0);
    const [first, second] = [ofGraph.begin(undefined), ofGraph.begin(undefined)];
    first.acquirePlace();
    expect(() => second.acquirePlace()).toThrow('Too many requests');
    expect(() => first.count(3)).toThrow('too many bytes');
    load.resize({ ...limits, maxInFlight: 2 });
    second.acquirePlace();
    first.count(3);
    expect(() => ofGraph.checkRoom()).toThrow('Too many requests');
  });

  it('fails alone where its planner cannot plan an operation', async () => {
    await start({
      graphs,
      partner:
        'limits: { parser_max_tokens: 1000000 }\nmeridian: { limits: { max_document_length: 1000000 } }',
    });
    await replaceFile(join(directory, 'partner.graphql'), compose(manyPaths(14)));
    await gateway.logged({ graph: 'partner', msg: 'supergraph reloaded' });

    const order: string[] = [];
    const exploding = send('/partner', { body: { query: `query Exploding ${nested(10, 14)}` } }).finally(() =>
      order.push('partner'),
    );
    for (const name of ['B', 'C', 'D']) {
      expect(await send('/graphql', { body: { query: `query ${name} { time }` } })).toEqual(ofShop);
    }
    order.push('shop');
    // In time, or at all: Apollo's planner has a limit of its own.
    expect((await exploding).body).toMatch(/The operation (?:takes too long to plan|cannot be planned)/u);
    expect(order).toEqual(['shop', 'partner']);
  });
});

/** An entity whose fields all subgraphs have. */
function manyPaths(count: number): Parameters<typeof compose>[0] {
  const fields = Array.from({ length: 8 }, (_, index) => `f${index}: Thing @shareable`).join(' ');
  return Array.from({ length: count }, (_, index) => ({
    name: `s${index}`,
    routingUrl: `http://s${index}.example`,
    sdl: `
      extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])
      type Query { things: [Thing!]! @shareable }
      type Thing @key(fields: "id") { id: ID! ${fields} own${index}: Int }`,
  }));
}

/** So many levels of two fields each, whose leaves are in one subgraph each. */
function nested(levels: number, width: number): string {
  const level = (depth: number): string =>
    depth === 0
      ? Array.from({ length: width }, (_, index) => `own${index}`).join(' ')
      : `f0 { ${level(depth - 1)} } f1 { ${level(depth - 1)} } own0`;
  return `{ things { ${level(levels)} } }`;
}

describe('pnpm router-config check', () => {
  const check = (graphs: string) =>
    checkFile(
      { name: 'router.yaml', text: `meridian: { graphs: ${graphs} }` },
      { env: {}, mode: 'production', readFile: (path) => readFileSync(path, 'utf8') },
    );

  it('checks the file of each graph over the common one', async () => {
    await start({
      graphs: '{}',
      partner: 'limits: { max_deepth: 3, max_height: none }\nhealth_check: { path: /up }',
    });
    const config = join(directory, 'partner.yaml');
    const { faults, starts } = check(`{ shop: {}, partner: { path: /p, config: ${config} } }`);
    expect(starts).toBe(false);
    expect(faults).toEqual([
      expect.stringMatching(/^meridian\.graphs\.partner: limits\.max_height: /u),
      expect.stringMatching(/^meridian\.graphs\.partner: limits\.max_deepth: unknown/u),
    ]);
    await writeFile(config, 'health_check: { path: /up }');
    expect(check(`{ partner: { path: /p, config: ${config} } }`).faults).toEqual([
      expect.stringContaining('sets health_check, which the process has once'),
    ]);
    await writeFile(config, 'limits: { max_height: 3 }');
    expect(check(`{ shop: {}, partner: { path: /p, config: ${config} } }`).starts).toBe(true);
    expect(check('{ shop: {}, partner: { path: /p, config: nowhere.yaml } }').needs).toEqual([
      'nowhere.yaml',
    ]);
  });
});

describe('meridian.graphs', () => {
  it.each([
    [
      '{ a: { path: /a }, b: { path: /a } }',
      'meridian.graphs.b: is for the same requests as meridian.graphs.a',
    ],
    ['{ a: {}, b: {} }', 'meridian.graphs.b: is for the same requests as meridian.graphs.a'],
    [
      '{ a: { hosts: [x.example, Y.example] }, b: { hosts: [y.example] } }',
      'meridian.graphs.b: is for the same requests as meridian.graphs.a',
    ],
    [
      '{ a: { claim: { name: plan, values: [pro] } } }',
      'meridian.graphs.a.claim: needs authentication.router.jwt',
    ],
    ['{ "a b": {} }', 'meridian.graphs.a b: the name of a graph'],
    ['{ a: { paths: [/a] } }', 'meridian.graphs.a.paths'],
    ['{ a: { path: /a, config: missing.yaml } }', 'missing.yaml: the file is not there or not readable'],
    ['{ a: { path: /a, supergraph: missing.graphql } }', 'missing.graphql'],
  ])('stops the start with %s', async (graphs, message) => {
    await expect(start({ graphs })).rejects.toThrow(message);
  });

  it.each([
    ['supergraph: { listen: "127.0.0.1:1" }', 'sets supergraph.listen, which the process has once'],
    ['meridian: { graphs: { more: {} } }', 'sets meridian.graphs'],
    ['health_check: { path: /up }', 'sets health_check'],
  ])('stops the start with %s in the file of a graph', async (partner, message) => {
    await expect(start({ graphs: `{ partner: { path: /p, ${partnerFiles} } }`, partner })).rejects.toThrow(
      message,
    );
  });
});
