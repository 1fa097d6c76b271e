import { describe, expect, it } from '@jest/globals';

import { respondJson } from '../../support/stub-subgraph.ts';
import type { ClientSideResponse, TestGatewayOptions } from '../../support/test-gateway.ts';
import { useTestGateway } from '../../support/use-test-gateway.ts';

const secret = 'SELECT * FROM products; at /srv/app.js:1 on db.internal';

const gateway = useTestGateway();

/** The answer where the products subgraph reports an error with this code. */
async function respondWithError(code: string, options?: TestGatewayOptions): Promise<ClientSideResponse> {
  await gateway.start(options);
  gateway.products.misbehave((response) =>
    respondJson(response, {
      data: { time: null },
      errors: [{ message: secret, path: ['time'], extensions: { code, stacktrace: [secret] } }],
    }),
  );
  return await gateway.post({ query: 'query A { time }' });
}

describe('A masked subgraph error', () => {
  it('is INTERNAL_SERVER_ERROR with a fixed message and nothing from the subgraph', async () => {
    const { status, body, headers } = await respondWithError('DATABASE_DOWN');
    expect(status).toBe(200);
    expect(body.errors).toEqual([
      {
        message: 'The subgraph reported an error',
        path: ['time'],
        extensions: { code: 'INTERNAL_SERVER_ERROR', traceId: headers.get('apollo-trace-id') },
      },
    ]);
    expect(JSON.stringify(body)).not.toContain('SELECT');
  });

  it('keeps its allow-listed code', async () => {
    const { body } = await respondWithError('NOT_FOUND');
    expect(body.errors).toMatchObject([
      { message: 'The subgraph reported an error', extensions: { code: 'NOT_FOUND' } },
    ]);
  });

  it('keeps the codes that meridian.errors.allowed_codes lists, and no others', async () => {
    const config = 'meridian: { errors: { allowed_codes: [OUT_OF_STOCK] } }';
    expect((await respondWithError('OUT_OF_STOCK', { config })).code).toBe('OUT_OF_STOCK');
    await gateway.close();
    expect((await respondWithError('NOT_FOUND', { config })).code).toBe('INTERNAL_SERVER_ERROR');
  });

  it('is logged unmasked, with the trace id that the client can quote', async () => {
    const { headers } = await respondWithError('DATABASE_DOWN');
    await gateway.logged({ subgraph: 'products', reason: secret, traceId: headers.get('apollo-trace-id') });
  });
});

describe('A subgraph error passes unchanged', () => {
  it.each<[string, TestGatewayOptions]>([
    ['in development', { env: { NODE_ENV: 'development' } }],
    ['with include_subgraph_errors.all', { config: 'include_subgraph_errors: { all: true }' }],
    ['with its own key', { config: 'include_subgraph_errors: { subgraphs: { products: true } }' }],
  ])('%s', async (_where, options) => {
    const { body } = await respondWithError('DATABASE_DOWN', options);
    expect(body.errors).toMatchObject([
      { message: secret, extensions: { code: 'DATABASE_DOWN', service: 'products', stacktrace: [secret] } },
    ]);
  });

  it("except when its subgraph's own key is false", async () => {
    const config = 'include_subgraph_errors: { all: true, subgraphs: { products: false } }';
    expect((await respondWithError('DATABASE_DOWN', { config })).code).toBe('INTERNAL_SERVER_ERROR');
  });
});

describe('A subgraph error passes', () => {
  const masked = 'The subgraph reported an error';

  it.each([
    [
      'with the extensions allowed for all subgraphs',
      '{ all: { redact_message: true, allow_extensions_keys: [code] } }',
      { message: masked, extensions: { code: 'DATABASE_DOWN' } },
    ],
    [
      'without the extensions denied for all subgraphs',
      '{ all: { redact_message: false, deny_extensions_keys: [stacktrace, service] } }',
      { message: secret, extensions: { code: 'DATABASE_DOWN' } },
    ],
    [
      'with a generic code when its code may not be shown',
      '{ all: { redact_message: true, allow_extensions_keys: [service] } }',
      { message: masked, extensions: { code: 'INTERNAL_SERVER_ERROR', service: 'products' } },
    ],
    [
      'with the extensions allowed for its subgraph and for all',
      '{ all: { redact_message: true, allow_extensions_keys: [code] }, subgraphs: { products: { allow_extensions_keys: [service] } } }',
      { message: masked, extensions: { code: 'DATABASE_DOWN', service: 'products' } },
    ],
    [
      'without the extensions for all that its subgraph excludes',
      '{ all: { redact_message: true, allow_extensions_keys: [code, service] }, subgraphs: { products: { exclude_global_keys: [service] } } }',
      { message: masked, extensions: { code: 'DATABASE_DOWN' } },
    ],
    [
      'by its subgraph’s list of the other kind, which replaces the one for all',
      '{ all: { redact_message: true, allow_extensions_keys: [code] }, subgraphs: { products: { redact_message: false, deny_extensions_keys: [stacktrace] } } }',
      { message: secret, extensions: { code: 'DATABASE_DOWN', service: 'products' } },
    ],
    [
      'unchanged when the subgraph says true',
      '{ all: { redact_message: true, allow_extensions_keys: [code] }, subgraphs: { products: true } }',
      { message: secret, extensions: { code: 'DATABASE_DOWN', service: 'products', stacktrace: [secret] } },
    ],
    [
      'only as masked when the subgraph says false',
      '{ all: { redact_message: false, deny_extensions_keys: [] }, subgraphs: { products: false } }',
      { message: masked, extensions: { code: 'INTERNAL_SERVER_ERROR' } },
    ],
  ])('%s', async (_how, setting, { message, extensions }) => {
    const { body, headers } = await respondWithError('DATABASE_DOWN', {
      config: `include_subgraph_errors: ${setting}`,
    });
    const traceId = headers.get('apollo-trace-id');
    expect(body.errors).toEqual([{ message, path: ['time'], extensions: { ...extensions, traceId } }]);
  });
});

describe('A GraphQL response of a subgraph with an error status', () => {
  it.each<[string, TestGatewayOptions, readonly object[]]>([
    [
      'passes its messages and codes, and the status, where its errors are not masked',
      { config: 'include_subgraph_errors: { all: true }' },
      [
        { message: secret, extensions: { code: 'NOT_LISTED', service: 'products' } },
        { extensions: { code: 'SUBREQUEST_HTTP_ERROR', service: 'products', http: { status: 401 } } },
      ],
    ],
    [
      'passes its allow-listed codes only, and no status, where they are masked',
      { config: 'meridian: { errors: { allowed_codes: [UNAUTHENTICATED] } }' },
      [
        { message: 'The subgraph reported an error', extensions: { code: 'INTERNAL_SERVER_ERROR' } },
        { extensions: { code: 'SUBREQUEST_HTTP_ERROR' } },
      ],
    ],
  ])('%s', async (_case, options, expected) => {
    await gateway.start(options);
    gateway.products.misbehave((response) =>
      respondJson(response, { errors: [{ message: secret, extensions: { code: 'NOT_LISTED' } }] }, 401),
    );
    const { body } = await gateway.post({ query: 'query A { time }' });
    expect(body).toMatchObject({ data: { time: null }, errors: expected });
    expect(body.errors?.[1]?.extensions).toEqual({
      ...(expected[1] as { extensions: object }).extensions,
      traceId: expect.any(String),
    });
  });
});

describe('An unreachable subgraph', () => {
  it.each<[string, TestGatewayOptions, object]>([
    ['is not named', {}, {}],
    [
      'is named where its errors are not masked',
      { env: { NODE_ENV: 'development' } },
      { service: 'products' },
    ],
  ])('%s', async (_case, options, extensions) => {
    await gateway.start(options);
    gateway.products.misbehave((response) => void response.destroy());
    const { body, headers } = await gateway.post({ query: 'query A { time }' });
    const traceId = headers.get('apollo-trace-id');
    expect(body.errors?.[0]?.extensions).toEqual({ code: 'SUBREQUEST_HTTP_ERROR', traceId, ...extensions });
    expect(JSON.stringify(body)).not.toContain('127.0.0.1');
  });
});
