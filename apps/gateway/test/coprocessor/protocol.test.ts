// Each case of Apollo Router's reference of the protocol: the messages, and the effects of responses.
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import { respondJson } from '../support/stub-subgraph.ts';
import type { ClientSideResponse } from '../support/test-gateway.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { useInSuite } from '../support/use-in-suite.ts';
import type { CoprocessorMessage, Respond } from './test-coprocessor.ts';
import { startCoprocessor } from './test-coprocessor.ts';

const gateway = useTestGateway();
const coprocessor = useInSuite(startCoprocessor);

afterEach(() => coprocessor.reset());

const everything = (url: string): string => `
include_subgraph_errors: { all: true }
coprocessor:
  url: ${url}
  timeout: 400ms
  router:
    request: { headers: true, body: true, context: all, sdl: true, path: true, method: true }
    response: { headers: true, body: true, context: all, sdl: true, status_code: true }
  supergraph:
    request: { headers: true, body: true, context: all, sdl: true, method: true }
    response: { headers: true, body: true, context: all, sdl: true, status_code: true }
  execution:
    request: { headers: true, body: true, context: all, sdl: true, method: true }
    response: { headers: true, body: true, context: all, sdl: true, status_code: true }
  subgraph:
    all:
      request: { headers: true, body: true, context: all, uri: true, method: true, service_name: true, subgraph_request_id: true }
      response: { headers: true, body: true, context: all, service_name: true, status_code: true, subgraph_request_id: true }
`;

const query = 'query Top { topProducts(first: 1) { name } }';
const found = { topProducts: [{ name: 'Product 1' }] };

/** Responds to one stage, and lets the others pass. */
function at(stage: string, change: (message: CoprocessorMessage) => unknown): Respond {
  return (message) => (message.stage === stage ? change(message) : message);
}

describe('A stage sends', () => {
  beforeAll(() => gateway.start({ config: everything(coprocessor.url) }));

  it('what is configured, and takes the message itself as an answer that changes nothing', async () => {
    const response = await gateway.post(
      { query, operationName: 'Top' },
      { 'apollographql-client-name': 'web' },
    );

    expect(response.status).toBe(200);
    expect(response.body.data).toEqual(found);
    expect(coprocessor.received.map(({ stage }) => stage)).toEqual([
      'RouterRequest',
      'SupergraphRequest',
      'ExecutionRequest',
      'SubgraphRequest',
      'SubgraphResponse',
      'ExecutionResponse',
      'SupergraphResponse',
      'RouterResponse',
    ]);
    const [router, supergraph, execution, subgraph, received, result, , sent] = coprocessor.received;
    const sdl = expect.stringContaining('join__Graph') as unknown;
    const list = expect.arrayContaining([expect.any(String)]) as unknown;
    const common = { version: 1, id: response.headers.get('request-id'), sdl };
    expect(router).toMatchObject({
      ...common,
      control: 'continue',
      method: 'POST',
      path: '/graphql',
      body: JSON.stringify({ query, operationName: 'Top' }),
      headers: { 'content-type': ['application/json'], host: list },
      context: { entries: { 'apollo::telemetry::client_name': 'web' } },
    });
    const body = { query, operationName: 'Top', variables: {} };
    const context = {
      entries: {
        'apollo::supergraph::operation_name': 'Top',
        'apollo::supergraph::operation_kind': 'query',
        'apollo::telemetry::client_name': 'web',
      },
    };
    expect(supergraph).toMatchObject({ ...common, control: 'continue', method: 'POST', body, context });
    expect(execution).toMatchObject({ ...common, control: 'continue', method: 'POST', body, context });
    expect(subgraph).toMatchObject({
      control: 'continue',
      method: 'POST',
      serviceName: 'products',
      uri: gateway.products.url,
      body: { query: expect.stringContaining('topProducts') as unknown },
      subgraphRequestId: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
      context,
    });
    expect(received).toMatchObject({
      serviceName: 'products',
      statusCode: 200,
      subgraphRequestId: subgraph?.['subgraphRequestId'],
      headers: { 'content-type': ['application/json'] },
      body: { data: found },
      context,
    });
    expect(received).not.toHaveProperty('control');
    expect(result).toMatchObject({ ...common, statusCode: 200, body: { data: found }, context });
    expect(result).not.toHaveProperty('hasNext');
    expect(sent).toMatchObject({
      ...common,
      statusCode: 200,
      body: JSON.stringify({ data: found }),
      headers: { 'content-type': ['application/json'] },
    });
  });

  it('a fragment that is deferred as one part, with hasNext, and no header fields', async () => {
    coprocessor.respond(
      at('SupergraphResponse', (message) => {
        const [part] = (message.body as { incremental?: { data: { name: string } }[] }).incremental ?? [];
        if (part !== undefined) {
          part.data.name = 'Changed';
        }
        return message;
      }),
    );
    const response = await gateway.send(
      { query: 'query P { product(id: 1) { id ... @defer { name } } }' },
      { Accept: 'multipart/mixed;deferSpec=20220824' },
    );

    const text = await response.text();
    expect(text).toContain('"data":{"name":"Changed"}');
    expect(coprocessor.at('SupergraphResponse')).toMatchObject([
      { hasNext: true, statusCode: 200, body: { data: { product: { id: '1' } } } },
      {
        hasNext: false,
        body: { hasNext: false, incremental: [{ path: ['product'], data: { name: 'Product 1' } }] },
      },
    ]);
    const [, later] = coprocessor.at('SupergraphResponse');
    expect(later).not.toHaveProperty('headers');
    expect(later).not.toHaveProperty('statusCode');
  });

  it('an error status of a subgraph, as Apollo Router words it', async () => {
    gateway.products.misbehave((response) => void response.writeHead(403).end());

    await gateway.post({ query });

    expect(coprocessor.at('SubgraphResponse')).toMatchObject([
      {
        statusCode: 403,
        serviceName: 'products',
        body: { errors: [{ extensions: { code: 'SUBREQUEST_HTTP_ERROR', http: { status: 403 } } }] },
      },
    ]);
  });

  it('JSON, and says so', async () => {
    await gateway.post({ query });

    expect(coprocessor.fields[0]).toMatchObject({
      accept: 'application/json',
      'content-type': 'application/json',
    });
  });
});

interface Case {
  readonly name: string;
  readonly stage: string;
  readonly change: (message: CoprocessorMessage) => unknown;
  readonly request?: { readonly query: string; readonly variables?: object };
  readonly status?: number;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** The header fields that the subgraph got. */
  readonly sent?: object;
}

const endings = ['RouterRequest', 'SupergraphRequest', 'ExecutionRequest'];
const asText = (stage: string, body: unknown): unknown =>
  stage === 'RouterRequest' ? JSON.stringify(body) : body;

const cases: readonly Case[] = [
  ...endings.map((stage) => ({
    name: 'break with a GraphQL response',
    stage,
    change: (message: CoprocessorMessage) => ({
      ...message,
      control: { break: 401 },
      headers: { 'x-reason': ['no key'] },
      body: asText(stage, { errors: [{ message: 'No.', extensions: { code: 'ERR_UNAUTHENTICATED' } }] }),
    }),
    status: 401,
    headers: { 'x-reason': 'no key', 'content-type': 'application/json' },
    body: { errors: [{ message: 'No.', extensions: { code: 'ERR_UNAUTHENTICATED' } }] },
  })),
  ...endings.map((stage) => ({
    name: 'break with data',
    stage,
    change: (message: CoprocessorMessage) => ({
      ...message,
      control: { break: 200 },
      body: asText(stage, { data: { topProducts: [] } }),
    }),
    status: 200,
    body: { data: { topProducts: [] } },
  })),
  ...endings.map((stage) => ({
    name: 'break with a body that is not a GraphQL response',
    stage,
    change: (message: CoprocessorMessage) => ({
      ...message,
      control: { break: 400 },
      body: asText(stage, { x: 1 }),
    }),
    status: 400,
    body: { errors: [{ extensions: { code: 'EXTERNAL_DESERIALIZATION_ERROR' } }] },
  })),
  {
    name: 'break with a text is the message of an error',
    stage: 'RouterRequest',
    change: (message) => ({ ...message, control: { break: 403 }, body: 'Not today' }),
    status: 403,
    body: { errors: [{ message: 'Not today', extensions: { code: 'ERROR' } }] },
  },
  {
    name: 'another body',
    stage: 'RouterRequest',
    change: (message) => ({ ...message, body: JSON.stringify({ query: 'query T { time }' }) }),
    body: { data: { time: 'now' } },
  },
  {
    name: 'a body that is not JSON is the error of a client',
    stage: 'RouterRequest',
    change: (message) => ({ ...message, body: '{' }),
    status: 400,
    body: { errors: [{ extensions: { code: 'BAD_REQUEST' } }] },
  },
  {
    name: 'another operation is compiled and admitted',
    stage: 'SupergraphRequest',
    change: (message) => ({ ...message, body: { query: 'query T { time }' } }),
    body: { data: { time: 'now' } },
  },
  {
    name: 'another operation passes the checks of the first',
    stage: 'SupergraphRequest',
    change: (message) => ({ ...message, body: { query: 'query T { topProducts(first: 1000) { id } }' } }),
    body: { errors: [{ extensions: { code: 'PAGE_SIZE_LIMIT' } }] },
  },
  {
    name: 'other variables',
    stage: 'SupergraphRequest',
    request: { query: 'query P($id: ID!) { product(id: $id) { id } }', variables: { id: '1' } },
    change: (message) => ({ ...message, body: { ...(message.body as object), variables: { id: '7' } } }),
    body: { data: { product: { id: '7' } } },
  },
  {
    name: 'another body for a subgraph',
    stage: 'SubgraphRequest',
    request: { query: 'query P($id: ID!) { product(id: $id) { id } }', variables: { id: '1' } },
    change: (message) => {
      const body = message.body as { variables: Record<string, string> };
      return { ...message, body: { ...body, variables: { ...body.variables, id: '9' } } };
    },
    body: { data: { product: { id: '9' } } },
  },
  {
    name: 'a header field for a subgraph',
    stage: 'SubgraphRequest',
    change: (message) => ({ ...message, headers: { ...message.headers, authToken: ['secret'] } }),
    body: { data: found },
    sent: { authtoken: 'secret' },
  },
  {
    name: 'framing fields that are left out stay',
    stage: 'SubgraphRequest',
    change: (message) => ({ ...message, headers: { 'x-only': ['this'] } }),
    body: { data: found },
    sent: { 'x-only': 'this', 'content-type': 'application/json' },
  },
  {
    name: 'break with a response of the subgraph',
    stage: 'SubgraphRequest',
    change: (message) => ({
      ...message,
      control: { break: 200 },
      body: { data: { topProducts: [{ name: 'Mine' }] } },
    }),
    body: { data: { topProducts: [{ name: 'Mine' }] } },
  },
  {
    name: 'break with a text is an error of the subgraph',
    stage: 'SubgraphRequest',
    change: (message) => ({ ...message, control: { break: 500 }, body: 'closed' }),
    body: { errors: [{ message: 'closed' }] },
  },
  {
    name: 'another response of a subgraph',
    stage: 'SubgraphResponse',
    change: (message) => ({ ...message, body: { data: { topProducts: [{ name: 'Other' }] } } }),
    body: { data: { topProducts: [{ name: 'Other' }] } },
  },
  ...['ExecutionResponse', 'SupergraphResponse'].flatMap((stage) => [
    {
      name: 'another result, a status and a header field',
      stage,
      change: (message: CoprocessorMessage) => ({
        ...message,
        control: { break: 418 },
        headers: { 'x-stage': [stage] },
        body: { data: { topProducts: [] }, extensions: { by: stage } },
      }),
      status: 418,
      headers: { 'x-stage': stage },
      body: { data: { topProducts: [] }, extensions: { by: stage } },
    },
    {
      name: 'continue is the status 200',
      stage,
      change: (message: CoprocessorMessage) => ({ ...message, control: 'continue' }),
      status: 200,
      body: { data: found },
    },
  ]),
  {
    name: 'another response to the client',
    stage: 'RouterResponse',
    change: (message) => ({
      ...message,
      control: { break: 201 },
      headers: { ...message.headers, 'x-served-by': ['copro', 'cessor'] },
      body: '{"data":{"topProducts":null}}',
    }),
    status: 201,
    headers: { 'x-served-by': 'copro, cessor' },
    body: { data: { topProducts: null } },
  },
  ...[
    'RouterRequest',
    'SupergraphRequest',
    'ExecutionRequest',
    'ExecutionResponse',
    'SupergraphResponse',
    'RouterResponse',
  ].flatMap((stage): Case[] =>
    (
      [
        ['no JSON', () => '<html>'],
        ['another version', (message) => ({ ...message, version: 2 })],
        ['another stage', (message) => ({ ...message, stage: 'Other' })],
        ['header fields without lists', (message) => ({ ...message, headers: { a: 'b' } })],
        ['a context without entries', (message) => ({ ...message, context: [] })],
        ['a control that is none', (message) => ({ ...message, control: 'Continue' })],
        ['a status that is none', (message) => ({ ...message, control: { break: 42 } })],
        ...(stage.endsWith('Request')
          ? ([['no control', ({ control: _control, ...message }: CoprocessorMessage) => message]] as const)
          : []),
        ...(stage.startsWith('Router')
          ? ([
              ['a body that is not a text', (message: CoprocessorMessage) => ({ ...message, body: {} })],
            ] as const)
          : []),
      ] as readonly (readonly [string, Case['change']])[]
    ).map(([name, change]) => ({
      name: `${name} fails the request`,
      stage,
      change,
      status: 500,
      body: { errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }] },
    })),
  ),
  ...['ExecutionResponse', 'SupergraphResponse'].map((stage) => ({
    name: 'a body that is not a GraphQL response fails the request',
    stage,
    change: (message: CoprocessorMessage) => ({ ...message, body: {} }),
    status: 500,
    body: { errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }] },
  })),
  ...['SubgraphRequest', 'SubgraphResponse'].map((stage) => ({
    name: 'no answer by the protocol makes the fields of the subgraph null',
    stage,
    change: () => '[]',
    status: 200,
    body: { data: null, errors: [{ extensions: { code: 'SUBREQUEST_HTTP_ERROR' } }] },
  })),
  {
    name: 'another URL of a subgraph fails the fetch',
    stage: 'SubgraphRequest',
    change: (message) => ({ ...message, uri: 'http://elsewhere.example/' }),
    body: { errors: [{ extensions: { code: 'SUBREQUEST_HTTP_ERROR' } }] },
  },
  {
    name: 'another operation fails the request: it is planned already',
    stage: 'ExecutionRequest',
    change: (message) => ({ ...message, body: { query: 'query T { time }' } }),
    status: 500,
    body: { errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }] },
  },
  {
    name: 'a credential cannot be replaced once the caller is known',
    stage: 'SupergraphRequest',
    change: (message) => ({ ...message, headers: { ...message.headers, authorization: ['Bearer other'] } }),
    status: 500,
    body: { errors: [{ extensions: { code: 'INTERNAL_SERVER_ERROR' } }] },
  },
];

describe('A response of the coprocessor', () => {
  beforeAll(() => gateway.start({ config: everything(coprocessor.url) }));

  it.each(cases)(
    '$stage: $name',
    async ({ stage, change, request = { query }, status = 200, body, headers, sent }) => {
      coprocessor.respond(at(stage, change));

      const response = await gateway.post(request, { Accept: 'application/json' });

      expect(response.body).toMatchObject(body ?? {});
      expect(response.status).toBe(status);
      expect(Object.fromEntries(response.headers)).toMatchObject(headers ?? {});
      expect(gateway.products.received[0]?.headers ?? {}).toMatchObject(sent ?? {});
    },
  );

  it('that does not come in time fails the request, is logged with its stage, and is counted', async () => {
    coprocessor.respond(at('SupergraphRequest', () => new Promise<void>(() => {})));

    const response = await gateway.post({ query });

    expect(response.status).toBe(500);
    expect(JSON.stringify(gateway.log)).toContain('coprocessor failed at supergraphRequest');
    expect(JSON.stringify(gateway.log)).toContain('no response within 400 ms');
    const metrics = await gateway.metrics();
    expect(metrics).toMatch(
      /apollo_router_operations_coprocessor_total\{coprocessor_stage="SupergraphRequest",coprocessor_succeeded="false",service="gateway"\} \d/,
    );
    expect(metrics).toMatch(
      /apollo_router_operations_coprocessor_total\{coprocessor_stage="RouterRequest",coprocessor_succeeded="true",service="gateway"\} \d/,
    );
    expect(metrics).toMatch(/apollo_router_operations_coprocessor_duration_count\{/);
  });

  it('takes entries of the context from stage to stage, and a response stage deletes them', async () => {
    coprocessor.respond((message) => {
      const entries = message.context?.entries ?? {};
      if (message.stage === 'RouterRequest') {
        entries['a'] = { deep: [1] };
        entries['b'] = 2;
      }
      if (message.stage === 'SubgraphResponse') {
        delete entries['b'];
      }
      return message;
    });

    await gateway.post({ query });

    const seen = (stage: string): unknown => coprocessor.at(stage)[0]?.context?.entries;
    expect(seen('SubgraphRequest')).toMatchObject({ a: { deep: [1] }, b: 2 });
    expect(seen('RouterResponse')).toMatchObject({ a: { deep: [1] } });
    expect(seen('RouterResponse')).not.toHaveProperty('b');
  });

  it.each(['SubgraphRequest', 'SubgraphResponse', 'SupergraphResponse'])(
    'at %s has no effect on the context where its body is unusable',
    async (stage) => {
      const entries = { a: 1 };
      coprocessor.respond(at(stage, (message) => ({ ...message, body: [], context: { entries } })));

      const response = await gateway.post({ query });

      expect(response.body).toHaveProperty('errors');
      expect(coprocessor.at('RouterResponse')[0]?.context?.entries).not.toHaveProperty('a');
    },
  );

  it.each([
    ['SupergraphRequest', (message: CoprocessorMessage) => ({ ...message, control: { break: 403 } })],
    ['SupergraphResponse', (message: CoprocessorMessage) => message],
    ['RouterResponse', (message: CoprocessorMessage) => message],
  ])('sends several cookies, each in a field of its own: %s', async (stage, change) => {
    const cookies = ['a=1; Expires=Fri, 01 Jan 2027 00:00:00 GMT', 'b=2'];
    const headers = { 'set-cookie': cookies };
    coprocessor.respond(at(stage, (message) => ({ ...change(message), headers })));

    const response = await gateway.post({ query });

    expect(response.headers.getSetCookie()).toEqual(cookies);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    const [seen] = coprocessor.at('RouterResponse');
    expect(seen?.headers?.['set-cookie']).toEqual(stage === 'RouterResponse' ? undefined : cookies);
  });

  it.each([
    ['RouterRequest', { break: 403 }, 403],
    ['SupergraphRequest', { break: 403 }, 403],
    ['RouterRequest', 'continue', 200],
    ['SupergraphResponse', undefined, 200],
    ['RouterResponse', undefined, 200],
  ] as const)('takes an empty list for a field that is absent: %s %j', async (stage, control, status) => {
    const headers = { 'content-type': ['application/json'], 'set-cookie': [], 'x-empty': [] };
    coprocessor.respond(at(stage, (message) => ({ ...message, ...(control && { control }), headers })));

    const response = await gateway.post({ query });

    expect(response.status).toBe(status);
    expect(response.headers.has('set-cookie')).toBe(false);
    expect(response.headers.has('x-empty')).toBe(false);
  });

  it('shares no fetch between requests that it has made different', async () => {
    let count = 0;
    coprocessor.respond(
      at('SubgraphRequest', (message) => {
        count += 1;
        return { ...message, headers: { ...message.headers, 'x-count': [String(count)] } };
      }),
    );
    gateway.products.misbehave((response, { headers }) =>
      respondJson(response, { data: { topProducts: [{ name: headers['x-count'] }] } }),
    );

    const responses = await Promise.all([gateway.post({ query }), gateway.post({ query })]);

    const names = responses.map(({ body }: ClientSideResponse) => JSON.stringify(body.data));
    expect(new Set(names).size).toBe(2);
  });
});

describe('A condition keeps the response from caches that cannot decide it', () => {
  const byHeader = '{ exists: { request_header: x-beta } }';
  const byClient = '{ eq: [web, { request_context: "apollo::telemetry::client_name" }] }';

  it.each([
    ['router', 'request', byHeader, 'max-age=60, public', 'x-beta'],
    ['supergraph', 'request', byHeader, 'max-age=60, public', 'x-beta'],
    ['supergraph', 'response', byHeader, 'max-age=60, public', 'x-beta'],
    [
      'subgraph: { all',
      'request',
      '{ exists: { supergraph_request_header: x-beta } }',
      'max-age=60, public',
      'x-beta',
    ],
    ['supergraph', 'request', byClient, 'private, no-store', ''],
    ['router', 'response', byHeader, 'private, no-store', ''],
    ['supergraph', 'request', '{ eq: [query, { operation_kind: string }] }', 'max-age=60, public', ''],
  ])('%s %s: %s', async (stage, side, condition, policy, varies) => {
    const [end, key] = stage.includes('{') ? ['}', stage] : ['', stage];
    const conf = `${key}: { ${side}: { body: true, condition: ${condition} } } ${end}`;
    await gateway.start({ config: `coprocessor: { url: ${coprocessor.url}, ${conf} }` });

    const { headers } = await gateway.get({ query: 'query A { product(id: 1) { name } }' });

    expect(headers.get('cache-control')).toBe(policy);
    expect(headers.get('vary')).toContain(varies);
  });
});
