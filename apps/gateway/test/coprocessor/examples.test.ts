// Coprocessors that do what public examples do, with their configuration.
import { createServer as createHttp2Server } from 'node:http2';
import { createServer } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { once } from 'node:events';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

import { afterEach, describe, expect, it } from '@jest/globals';
import type { CollectedSpan, TestIdentity } from '@meridian/testing';
import { createTestIdentity, eventually, startOtlpCollector } from '@meridian/testing';

import { requestParts } from '../streams/read-parts.ts';
import { pricesQuery, pricesVariables, startStreamingShop } from '../streams/streaming-shop.ts';
import { respondJson } from '../support/stub-subgraph.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { useInSuite } from '../support/use-in-suite.ts';
import type { CoprocessorMessage } from './test-coprocessor.ts';
import { startCoprocessor } from './test-coprocessor.ts';

const gateway = useTestGateway();
const coprocessor = useInSuite(startCoprocessor);

afterEach(() => coprocessor.reset());

const query = 'query Top { topProducts(first: 1) { name } }';
const found = { topProducts: [{ name: 'Product 1' }] };

function start(rules: string, rest = ''): Promise<void> {
  return gateway.start({ config: `coprocessor: { url: "${coprocessor.url}", ${rules} }\n${rest}` });
}

const entriesOf = ({ context }: CoprocessorMessage): Record<string, unknown> => context?.entries ?? {};

describe('A coprocessor of a public example', () => {
  it('fetches a token for the request, and adds it to each subgraph’s', async () => {
    await start(`
      router: { request: { context: true } },
      subgraph: { all: { request: { headers: true, body: true, context: true } } }`);
    coprocessor.respond((message) => {
      if (message.stage === 'RouterRequest') {
        entriesOf(message)['authentication::authToken'] = 'a token';
      } else if (message.headers !== undefined) {
        message.headers['authToken'] = [String(entriesOf(message)['authentication::authToken'])];
      }
      return message;
    });

    const { body } = await gateway.post({ query });

    expect(body.data).toEqual(found);
    expect(gateway.products.received[0]?.headers['authtoken']).toBe('a token');
  });

  it('puts a value into the context, which rules for header fields send to subgraphs', async () => {
    await start(
      'supergraph: { request: { headers: true, context: true } }',
      `headers: { all: { request: { operations: [
        { insert: { name: x-user, from_context: "my-team::user" } },
        { insert: { name: x-client, from_context: "apollo_telemetry::client_name" } },
        { insert: { name: x-flags, from_context: "my-team::flags" } } ] } } }`,
    );
    coprocessor.respond((message) => {
      Object.assign(entriesOf(message), {
        'my-team::user': message.headers?.['x-key']?.[0],
        'my-team::flags': ['a'],
        'apollo_telemetry::client_name': 'renamed',
      });
      return message;
    });
    gateway.products.misbehave((response, { headers }) =>
      respondJson(response, { data: { topProducts: [{ name: headers['x-user'] ?? null }] } }),
    );

    const responses = await Promise.all(
      ['one', 'two'].map((key) =>
        gateway.post({ query }, { 'x-key': key, 'apollographql-client-name': 'c' }),
      ),
    );

    expect(responses.map(({ body }) => body.data)).toEqual(
      ['one', 'two'].map((name) => ({ topProducts: [{ name }] })),
    );
    expect(gateway.products.received[0]?.headers).toMatchObject({ 'x-client': 'renamed' });
    expect(gateway.products.received[0]?.headers).not.toHaveProperty('x-flags');
  });

  it('evaluates policies, by their name before Router 2', async () => {
    await start(
      'supergraph: { request: { context: true } }',
      'authorization: { directives: { enabled: true } }',
    );
    const margin = 'query M { product(id: 1) { margin } }';
    const key = 'apollo_authorization::policies::required';
    const policiesOf = (message: CoprocessorMessage): Record<string, unknown> =>
      (entriesOf(message)[key] ?? {}) as Record<string, unknown>;
    coprocessor.respond((message) => {
      const policies = policiesOf(message);
      Object.keys(policies).forEach((policy) => (policies[policy] = policy !== 'emea'));
      return message;
    });

    const granted = await gateway.post({ query: margin });
    expect(coprocessor.received[0]?.context?.entries[key]).toEqual({
      finance: null,
      audit: null,
      emea: null,
    });
    expect(granted.body).toEqual({ data: { product: { margin: 40 } } });

    coprocessor.respond((message) => {
      policiesOf(message)['finance'] = false;
      policiesOf(message)['audit'] = true;
      return message;
    });
    const refused = await gateway.post({ query: margin });
    expect(refused.body.data).toEqual({ product: { margin: null } });
    expect(refused.code).toBe('UNAUTHORIZED_FIELD_OR_TYPE');
  });

  it('responds with the status that a subgraph had', async () => {
    await start(`
      subgraph: { all: { response: { context: true, status_code: true } } },
      supergraph: { response: { context: true } }`);
    coprocessor.respond((message) => {
      const entries = entriesOf(message);
      if (message.stage === 'SubgraphResponse') {
        entries['statusCode'] ??= message['statusCode'];
      } else if (entries['statusCode'] !== undefined && entries['statusCode'] !== 200) {
        message.control = { break: entries['statusCode'] };
      }
      return message;
    });
    gateway.products.misbehave((response) => respondJson(response, { errors: [] }, 403));

    expect((await gateway.post({ query })).status).toBe(403);
    gateway.products.reset();
    expect((await gateway.post({ query })).status).toBe(200);
  });

  it('keeps the variables for an attribute of telemetry', async () => {
    await start(
      'router: { request: { body: true, context: true } }',
      `telemetry: { instrumentation: { events: { supergraph: { seen: { message: seen, level: info, on: response,
        attributes: { variables: { request_context: variableValues } } } } } } }`,
    );
    coprocessor.respond((message) => {
      const { variables } = JSON.parse(String(message.body)) as { variables: object };
      entriesOf(message)['variableValues'] = JSON.stringify(variables);
      return message;
    });

    await gateway.post({ query: 'query P($id: ID!) { product(id: $id) { id } }', variables: { id: '1' } });

    await gateway.logged({ msg: 'seen', variables: '{"id":"1"}' });
  });
});

describe('The context that is sent', () => {
  it.each([
    ['all', ['apollo::supergraph::operation_kind', 'apollo::supergraph::operation_name']],
    ['true', ['operation_kind', 'operation_name']],
    ['deprecated', ['operation_kind', 'operation_name']],
    ['{ selective: ["apollo::supergraph::operation_name", other] }', ['apollo::supergraph::operation_name']],
    ['none', undefined],
    ['false', undefined],
  ])('has for %s the keys %j', async (context, keys) => {
    await start(`supergraph: { request: { context: ${context}, method: true } }`);

    await gateway.post({ query });

    const [message] = coprocessor.received;
    expect(message?.context && Object.keys(message.context.entries).toSorted()).toEqual(keys);
  });

  it('does not grow rights: claims that a coprocessor changes are its own', async () => {
    await using identity: TestIdentity = await createTestIdentity();
    await gateway.start({
      env: { NODE_ENV: 'development', JWKS_URL: identity.jwksUrl.href, JWT_ISSUER: identity.issuer },
      config: `
        authentication: { router: { jwt: { jwks: [ { url: "\${env.JWKS_URL}", issuers: ["\${env.JWT_ISSUER}"] } ] } } }
        authorization: { directives: { enabled: true } }
        coprocessor: { url: "${coprocessor.url}", router: { request: { context: all, headers: true } } }`,
    });
    const cost = 'query C { product(id: 1) { cost } }';
    const bearer = async (scope: string): Promise<string> =>
      `Bearer ${await identity.token({ scopes: [scope] })}`;
    coprocessor.respond((message) => {
      const claims = entriesOf(message)['apollo::authentication::jwt_claims'] as { scope: string };
      claims.scope = 'costs:read';
      return message;
    });
    const forged = await gateway.post({ query: cost }, { Authorization: await bearer('other') });
    expect(forged.code).toBe('UNAUTHORIZED_FIELD_OR_TYPE');

    // A credential that it sets is verified: a forged one is rejected, a good one counts.
    for (const [authorization, expected] of [
      [await bearer('costs:read'), { data: { product: { cost: 60 } } }],
      ['Bearer forged', { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] }],
    ] as const) {
      coprocessor.respond((message) => ({
        ...message,
        headers: { ...message.headers, authorization: [authorization] },
      }));
      expect((await gateway.post({ query: cost })).body).toMatchObject(expected);
    }
  });
});

describe('A condition', () => {
  it.each([
    [
      'router: { request: { condition: { exists: { request_header: x-on } }, headers: true } }',
      { 'x-on': '1' },
    ],
    ['router: { response: { condition: { eq: [ { response_status: code }, 200 ] }, headers: true } }', {}],
    ['supergraph: { request: { condition: { eq: [ { operation_kind: string }, mutation ] } } }', undefined],
    ['supergraph: { request: { condition: { eq: [ { operation_name: string }, Top ] } } }', {}],
    ['supergraph: { request: { condition: { gt: [ { query: depth }, 1 ] } } }', {}],
    ['supergraph: { response: { condition: { eq: [ { on_graphql_error: true }, true ] } } }', undefined],
    ['supergraph: { response: { condition: { exists: { response_data: "$.topProducts" } } } }', {}],
    ['subgraph: { all: { request: { condition: { eq: [ { subgraph_name: true }, products ] } } } }', {}],
    [
      'subgraph: { all: { request: { condition: { eq: [ { subgraph_operation_kind: string }, mutation ] } } } }',
      undefined,
    ],
    [
      'subgraph: { all: { response: { condition: { eq: [ { subgraph_response_status: code }, 200 ] } } } }',
      {},
    ],
    [
      'subgraph: { all: { response: { condition: { exists: { subgraph_response_data: "$.topProducts" } } } } }',
      {},
    ],
  ])('decides whether a stage is called: %s', async (rules, headers) => {
    await start(rules);

    const { body } = await gateway.post({ query }, headers);

    expect(body.data).toEqual(found);
    expect(coprocessor.received).toHaveLength(headers === undefined ? 0 : 1);
  });
});

describe('A condition on errors', () => {
  it('sees the errors of a fetch at both stages of responses', async () => {
    const condition = '{ condition: { eq: [ { on_graphql_error: true }, true ] } }';
    await start(`router: { response: ${condition} }, supergraph: { response: ${condition} }`);
    await gateway.post({ query });
    expect(coprocessor.received).toEqual([]);

    gateway.products.misbehave((response) => respondJson(response, { errors: [{ message: 'broken' }] }));
    await gateway.post({ query });

    expect(coprocessor.received.map(({ stage }) => stage)).toEqual(['SupergraphResponse', 'RouterResponse']);
  });
});

describe('A coprocessor is reached', () => {
  const respond = async (request: AsyncIterable<unknown>, end: (text: string) => void): Promise<void> => {
    const message = (await json(request as never)) as CoprocessorMessage;
    end(JSON.stringify({ ...message, control: { break: 299 }, body: `{"data":{"by":"${message.stage}"}}` }));
  };
  const rules = 'router: { request: { method: true } }';

  it('over a socket of Unix, at a path', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'meridian-coprocessor-'));
    const paths: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url);
      void respond(request, (text) => response.end(text));
    });
    const path = join(directory, 'a.sock');
    server.listen(path);
    await once(server, 'listening');
    try {
      await gateway.start({ config: `coprocessor: { url: "unix://${path}?path=/stage", ${rules} }` });
      expect((await gateway.post({ query })).status).toBe(299);
      expect(paths).toEqual(['/stage']);
    } finally {
      server.close();
      server.closeAllConnections();
      await rm(directory, { recursive: true });
    }
  });

  it('over HTTP/2 without TLS', async () => {
    const versions: string[] = [];
    const server = createHttp2Server((request, response) => {
      versions.push(request.httpVersion);
      void respond(request, (text) => response.end(text));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    try {
      await gateway.start({
        config: `coprocessor: { url: "http://127.0.0.1:${port}", client: { experimental_http2: http2only }, ${rules} }`,
      });
      expect((await gateway.post({ query })).status).toBe(299);
      expect(versions).toEqual(['2.0']);
    } finally {
      await gateway.close();
      server.close();
    }
  });

  it('over connections that are kept', async () => {
    let connections = 0;
    const server = createServer((request, response) => void respond(request, (text) => response.end(text)));
    server.on('connection', () => (connections += 1));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    try {
      await gateway.start({
        config: `coprocessor: { url: "http://localhost:${port}", client: { dns_resolution_strategy: ipv4_only }, ${rules} }`,
      });
      for (let count = 0; count < 5; count += 1) {
        expect((await gateway.post({ query })).status).toBe(299);
      }
      expect(connections).toBe(1);
      server.closeAllConnections();
      expect((await gateway.post({ query })).status).toBe(299);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });

  it('at a URL of the stage', async () => {
    await gateway.start({
      config: `coprocessor: { url: "http://127.0.0.1:9", router: { request: { method: true, url: "${coprocessor.url}" } } }`,
    });
    expect((await gateway.post({ query })).status).toBe(200);
    expect(coprocessor.received).toHaveLength(1);
  });

  it('not at all: the request fails', async () => {
    await gateway.start({ config: `coprocessor: { url: "http://127.0.0.1:9", ${rules} }` });
    const { status, code } = await gateway.post({ query });
    expect({ status, code }).toEqual({ status: 500, code: 'INTERNAL_SERVER_ERROR' });
  });
});

describe('response_validation: false', () => {
  it('ignores a body that is not a GraphQL response', async () => {
    await start('response_validation: false, supergraph: { response: { body: true } }');
    coprocessor.respond((message) => ({ ...message, body: { errors: 'none' } }));
    expect((await gateway.post({ query })).body.data).toEqual(found);
  });
});

describe('A body in part', () => {
  it('is sent and replaced by its members', async () => {
    await start('supergraph: { response: { body: { errors: true, extensions: true } } }');
    coprocessor.respond((message) => ({
      ...message,
      body: { data: { not: 'taken' }, errors: [], extensions: { by: 'it' } },
    }));
    const { body } = await gateway.post({ query });
    expect(coprocessor.received[0]?.body).toEqual({ errors: [], extensions: {} });
    expect(body).toEqual({ data: found, extensions: { by: 'it' } });
  });
});

describe('A call to a coprocessor', () => {
  it('is a span of the request, which the coprocessor continues', async () => {
    const collector = await startOtlpCollector();
    try {
      await start(
        'router: { request: { method: true } }, subgraph: { all: { request: { method: true } } }',
        `telemetry: { exporters: { tracing: { otlp: { enabled: true, endpoint: "${collector.url}", protocol: http,
          batch_processor: { scheduled_delay: 5ms } }, propagation: { trace_context: true } } } }`,
      );
      const { headers } = await gateway.post({ query });
      const traceId = headers.get('apollo-trace-id');
      const callsOf = (): readonly CollectedSpan[] =>
        collector.spans.filter((span) => span.traceId === traceId && span.name === 'http_request');
      await eventually(() => expect(callsOf()).toHaveLength(2));

      expect(callsOf().map(({ attributes }) => attributes)).toEqual(
        ['RouterRequest', 'SubgraphRequest'].map((stage) =>
          expect.objectContaining({
            'coprocessor.stage': stage,
            'server.address': '127.0.0.1',
            'url.full': `${coprocessor.url}/`,
          }),
        ),
      );
      expect(coprocessor.fields.map(({ traceparent }) => traceparent)).toEqual(
        callsOf().map(({ spanId }) => `00-${traceId}-${spanId}-01`),
      );
    } finally {
      await gateway.close();
      await collector.close();
    }
  });
});

describe('The events of a subscription', () => {
  it('pass the stages of results one by one', async () => {
    await using shop = await startStreamingShop({
      config: `coprocessor: { url: "${coprocessor.url}", supergraph: { response: { body: true, headers: true } } }`,
    });
    coprocessor.respond((message) => {
      const { data } = message.body as { data: { priceChanged: { price: number } } };
      data.priceChanged.price *= 2;
      return message;
    });
    const { parts } = await requestParts(
      shop.gateway.url,
      { query: pricesQuery, variables: pricesVariables },
      { headers: { Accept: 'multipart/mixed;subscriptionSpec=1.0' } },
    );
    const iterator = parts[Symbol.asyncIterator]();
    await shop.subscribers(1);
    for (const price of [10, 11]) {
      shop.feed.push('p1', price);
      expect(await iterator.next()).toMatchObject({
        value: { payload: { data: { priceChanged: { price: price * 2 } } } },
      });
    }
    expect(coprocessor.at('SupergraphResponse')).toHaveLength(2);
    shop.feed.end();
  });
});

describe('A reload', () => {
  it('takes another coprocessor', async () => {
    await gateway.start();
    await gateway.post({ query });
    expect(coprocessor.received).toHaveLength(0);

    await writeFile(
      gateway.configPath,
      `coprocessor: { url: "${coprocessor.url}", router: { request: { method: true } } }`,
    );
    await eventually(async () => {
      await gateway.post({ query });
      expect(coprocessor.received.length).toBeGreaterThan(0);
    });
  });
});

describe('A batch', () => {
  it('passes the stages of the router once, and the others for each operation', async () => {
    await start(
      'router: { request: { body: true }, response: { body: true } }, supergraph: { request: { body: true } }',
      'batching: { enabled: true }',
    );
    const response = await gateway.send([{ query }, { query: 'query T { time }' }]);
    expect(await response.json()).toEqual([{ data: found }, { data: { time: 'now' } }]);
    expect(coprocessor.received.map(({ stage }) => stage).toSorted()).toEqual([
      'RouterRequest',
      'RouterResponse',
      'SupergraphRequest',
      'SupergraphRequest',
    ]);
  });
});
