import { describe, expect, it } from '@jest/globals';
import { createTestIdentity } from '@meridian/testing';

import { respondJson } from '../../support/stub-subgraph.ts';
import { useTestGateway } from '../../support/use-test-gateway.ts';

const query = 'query Names($id: ID!) { product(id: $id) { name } }';
const variables = { id: '1' };

const gateway = useTestGateway();

/** The header fields that the products subgraph gets under these rules. */
async function received(
  rules: readonly string[],
  { members = {}, headers = {} }: { members?: object; headers?: Readonly<Record<string, string>> } = {},
): Promise<unknown> {
  await gateway.start({ config: configOf(rules) });
  await gateway.post({ query, variables, ...members }, headers);
  return gateway.products.received[0]?.headers;
}

function configOf(rules: readonly string[]): string {
  return `headers: { all: { request: { operations: [ ${rules.map((rule) => `{ ${rule} }`).join(', ')} ] } } }`;
}

const insert = (name: string, from: string): string => `insert: { name: ${name}, ${from} }`;

describe('A header rule that inserts from the body', () => {
  it('inserts a string as it is, and anything else as JSON', async () => {
    const list = { ids: [{ id: 7 }, { id: 8 }] };
    expect(
      await received(
        [
          insert('x-name', 'path: ".operationName"'),
          insert('x-id', 'path: "$.variables.id"'),
          insert('x-second', `path: "$.extensions['a list'].ids[1]"`),
        ],
        { members: { operationName: 'Names', extensions: { 'a list': list } } },
      ),
    ).toMatchObject({ 'x-name': 'Names', 'x-id': '1', 'x-second': '{"id":8}' });
  });

  it('inserts one value of several as it is, and more as a list', async () => {
    const orders = [{ id: 7 }, { id: null }, { name: 'none' }];
    expect(
      await received(
        [
          insert('x-ids', 'path: "$.extensions.orders[*].id"'),
          insert('x-name', 'path: "$.extensions.orders.*.name"'),
          insert('x-none', 'path: "$.extensions.orders[*].owner", default: nobody'),
        ],
        { members: { extensions: { orders } } },
      ),
    ).toMatchObject({ 'x-ids': '[7,null]', 'x-name': 'none', 'x-none': 'nobody' });
  });

  it('inserts its default when the path finds nothing, and without a default nothing', async () => {
    const headers = await received([
      insert('x-one', 'path: "$.variables.none", default: nothing'),
      insert('x-two', 'path: "$.variables.none"'),
      insert('x-three', 'path: "$.variables.constructor.name"'),
    ]);
    expect(headers).toMatchObject({ 'x-one': 'nothing' });
    expect(headers).not.toHaveProperty('x-two');
    expect(headers).not.toHaveProperty('x-three');
  });

  it('inserts its default for members that the client omits or sends empty', async () => {
    const headers = await received(
      [
        insert('x-variables', 'path: "$.variables", default: none'),
        insert('x-extensions', 'path: "$.extensions", default: none'),
      ],
      { members: { query: 'query A { time }', variables: undefined, extensions: {} } },
    );
    expect(headers).toMatchObject({ 'x-variables': 'none', 'x-extensions': 'none' });
  });

  it.each([
    ['a line break', 'one\r\nx-tenant: other'],
    ['more than 8 KiB', 'x'.repeat(8193)],
    ['a letter beyond ASCII', 'é'],
  ])('inserts nothing when the client sends %s', async (_what, sent) => {
    const headers = await received([insert('x-sent', 'path: "$.extensions.sent"')], {
      members: { extensions: { sent } },
    });
    expect(headers).not.toHaveProperty('x-sent');
    expect(headers).not.toHaveProperty('x-tenant');
  });
});

describe('A header rule that inserts from the context', () => {
  it("inserts the operation's name and what the client says about itself", async () => {
    expect(
      await received(
        [
          insert('x-name', 'from_context: "apollo::supergraph::operation_name"'),
          insert('x-kind', 'from_context: "apollo::supergraph::operation_kind"'),
          insert('x-client', 'from_context: "apollo::telemetry::client_name"'),
          insert('x-version', 'from_context: "apollo::telemetry::client_version"'),
        ],
        { headers: { 'apollographql-client-name': 'web', 'apollographql-client-version': '1.2' } },
      ),
    ).toMatchObject({ 'x-name': 'Names', 'x-kind': 'query', 'x-client': 'web', 'x-version': '1.2' });
  });

  it('inserts nothing for an unknown value', async () => {
    const headers = await received([
      insert('x-client', 'from_context: "apollo::telemetry::client_name"'),
      insert('x-tenant', 'from_context: "meridian::tenant_id"'),
    ]);
    expect(headers).not.toHaveProperty('x-client');
    expect(headers).not.toHaveProperty('x-tenant');
  });

  it('inserts nothing for the claims of a token, which are an object', async () => {
    const headers = await received([
      insert('x-claims', 'from_context: "apollo::authentication::jwt_claims"'),
    ]);
    expect(headers).not.toHaveProperty('x-claims');
  });

  it('inserts the caller of a token, whatever header fields the client sends', async () => {
    await using identity = await createTestIdentity();
    await gateway.start({
      config: `
        authentication: { router: { jwt: { jwks: [ { url: "${identity.jwksUrl.href}", issuers: ["${identity.issuer}"] } ] } } }
        meridian: { authentication: { tenant_claim: tenant_id } }
        ${configOf([
          'propagate: { matching: "^x-" }',
          insert('x-tenant', 'from_context: "meridian::tenant_id"'),
          insert('x-subject', 'from_context: "meridian::subject"'),
          insert('x-scope', 'from_context: "meridian::scope"'),
        ])}
      `,
      env: { NODE_ENV: 'development' },
    });
    await gateway.post(
      { query, variables },
      { authorization: `Bearer ${await identity.token()}`, 'x-tenant': 'other', 'x-subject': 'mallory' },
    );
    expect(gateway.products.received[0]?.headers).toMatchObject({ 'x-tenant': 'acme', 'x-subject': 'alice' });
    await gateway.post(
      { query, variables },
      { 'x-tenant': 'acme', 'x-subject': 'alice', 'x-scope': 'admin', 'x-other': '1' },
    );
    const anonymous = gateway.products.received[1]?.headers;
    expect(anonymous).toMatchObject({ 'x-other': '1' });
    for (const name of ['x-tenant', 'x-subject', 'x-scope']) {
      expect(anonymous).not.toHaveProperty(name);
    }
  });

  it('keeps the requests of different callers apart while they are under way', async () => {
    await gateway.start({
      config: `
          meridian: { deduplicate_requests: true }
          ${configOf([insert('x-client', 'from_context: "apollo::telemetry::client_name"')])}
        `,
    });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    gateway.products.misbehave(async (response, { headers }) => {
      await released;
      respondJson(response, { data: { time: `of ${String(headers['x-client'])}` } });
    });
    const clients = ['web', 'app', 'web'];
    const responses = clients.map((name) =>
      gateway.post({ query: 'query A { time }' }, { 'apollographql-client-name': name }),
    );
    // Earlier requests are under way once this one has been to another subgraph and back.
    await gateway.post({ query: 'query Probe { review(id: 1) { id } }' });
    await gateway.post({ query: 'query Probe { review(id: 2) { id } }' });
    release();
    expect((await Promise.all(responses)).map(({ body }) => body.data?.['time'])).toEqual([
      'of web',
      'of app',
      'of web',
    ]);
    expect(gateway.products.received).toHaveLength(2);
  });
});

describe('Header rules that name the same field', () => {
  it('propagate the first one that the client sends, as Apollo Router does', async () => {
    const rules = ['propagate: { named: a, rename: b }', 'propagate: { named: b, default: defaulted }'];
    expect(await received(rules, { headers: { a: 'of-a', b: 'of-b' } })).toMatchObject({ b: 'of-a' });
  });

  it('fall back to the second when the client does not send the first', async () => {
    const rules = ['propagate: { named: a, rename: b }', 'propagate: { named: b, default: defaulted }'];
    expect(await received(rules)).toMatchObject({ b: 'defaulted' });
  });

  it('replace with an inserted value, and append a propagated one', async () => {
    const rules = [
      'propagate: { named: x-one }',
      insert('x-one', 'value: inserted'),
      insert('x-two', 'value: inserted'),
      'propagate: { named: x-two }',
    ];
    expect(await received(rules, { headers: { 'x-one': 'sent', 'x-two': 'sent' } })).toMatchObject({
      'x-one': 'inserted',
      'x-two': 'inserted, sent',
    });
  });
});

describe('A header rule about a field that each message has', () => {
  const sent = {
    headers: {
      'x-forwarded-host': 'shop.example',
      'proxy-authorization': 'Basic secret',
      constructor: 'a name like any other',
    },
  };

  it('applies when it names the field', async () => {
    const rules = [
      'propagate: { named: x-forwarded-host, rename: Host }',
      'propagate: { named: proxy-authorization }',
      insert('Accept', 'value: application/graphql-response+json'),
    ];
    expect(await received(rules, sent)).toMatchObject({
      host: 'shop.example',
      'proxy-authorization': 'Basic secret',
      // Router adds what it reads itself as well.
      accept: 'application/graphql-response+json, application/json',
    });
  });

  it('ignores the field when only its pattern matches, as Apollo Router does', async () => {
    const rules = [
      insert('Host', 'value: inserted.example'),
      'remove: { matching: ".*" }',
      'propagate: { matching: ".*" }',
    ];
    const headers = await received(rules, sent);
    expect(headers).toMatchObject({
      host: 'inserted.example',
      accept: 'application/json',
      'x-forwarded-host': 'shop.example',
      constructor: 'a name like any other',
    });
    expect(headers).not.toHaveProperty('proxy-authorization');
  });

  it('does not change how the message is framed and encoded', async () => {
    const names = ['content-length', 'transfer-encoding', 'connection', 'content-type', 'content-encoding'];
    const headers = await received(
      names.flatMap((name) => [
        insert(name, 'value: "1"'),
        `propagate: { named: x-forwarded-host, rename: ${name} }`,
      ]),
      sent,
    );
    expect(headers).toMatchObject({
      'content-length': expect.stringMatching(/^\d{2,}$/),
      'content-type': 'application/json',
    });
    expect(headers).not.toHaveProperty('transfer-encoding');
    expect(headers).not.toHaveProperty('content-encoding');
  });
});

describe('A header rule that inserts a claim', () => {
  it('inserts it as a text or as JSON, and never what a client sends in its place', async () => {
    await using identity = await createTestIdentity();
    const rules = [
      'propagate: { matching: "^x-" }',
      insert('x-tenant', 'from_context: "meridian::claim::tenant_id"'),
      insert('x-until', 'from_context: "meridian::claim::exp"'),
      insert('x-admin', 'from_context: "meridian::claim::admin"'),
    ];
    await gateway.start({
      config: `authentication: { router: { jwt: { jwks: [ { url: "${identity.jwksUrl.href}" } ] } } }\n${configOf(rules)}`,
      env: { NODE_ENV: 'development' },
    });
    const forged = { 'x-tenant': 'forged', 'x-until': 'forged', 'x-admin': 'forged', 'x-other': 'a' };
    const authorization = `Bearer ${await identity.token({ tenant: 'globex' })}`;
    await gateway.post({ query, variables }, { ...forged, authorization });
    await gateway.post({ query, variables }, forged);
    const [known, anonymous] = gateway.products.received.map(({ headers }) => headers);
    expect(known).toMatchObject({
      'x-tenant': 'globex',
      'x-until': expect.stringMatching(/^\d+$/),
      'x-other': 'a',
    });
    expect(Object.keys(known ?? {})).not.toContain('x-admin');
    expect(Object.values(anonymous ?? {})).not.toContain('forged');
  });
});
