// Each file of examples/hooks, beside the same request without it.
import { createHmac, hash } from 'node:crypto';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';

import { afterEach, describe, expect, it } from '@jest/globals';
import type { TestIdentity } from '@meridian/testing';
import { createTestIdentity, eventually } from '@meridian/testing';

import { respondJson } from '../support/stub-subgraph.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { useInSuite } from '../support/use-in-suite.ts';

const folder = new URL('../../../../examples/hooks/', import.meta.url);
const product = { query: 'query P($id: ID!) { product(id: $id) { id name } }', variables: { id: '7' } };
const rename = { query: 'mutation Rename { rename(id: "7", name: "x") { id } }' };
const secret = 'a secret of 32 characters at least';
const gateway = useTestGateway();
const identity = useInSuite(createTestIdentity);

afterEach(() => {
  for (const name of ['API_KEYS', 'SIGNING_SECRET', 'MAINTENANCE_UNTIL', 'AUDIT_FILE']) {
    delete process.env[name];
  }
});

/** A gateway with a copy of an example, or without. */
async function start(name: string | undefined): Promise<void> {
  await gateway.start({
    config: `
      authentication: { router: { jwt: { jwks: [{ url: '${identity.jwksUrl.href}', issuers: ['${identity.issuer}'] }] } } }
      meridian: { authentication: { tenant_claim: tenant_id }, hooks: ${name === undefined ? '[]' : `./${name}.ts`} }`,
    env: { NODE_ENV: 'development' },
    async prepare(directory) {
      await cp(folder, directory, { recursive: true, filter: (path) => !path.endsWith('router.yaml') });
      process.env['AUDIT_FILE'] = join(directory, 'audit.jsonl');
      return {};
    },
  });
}

async function bearer(claims?: Parameters<TestIdentity['token']>[0]): Promise<{ Authorization: string }> {
  return { Authorization: `Bearer ${await identity.token(claims)}` };
}

/** A header field of the last request to the subgraph. */
const sent = (name: string): unknown => gateway.products.received.at(-1)?.headers[name];
const statusOf = async (headers = {}, body: object = product): Promise<number> =>
  (await gateway.post(body, headers)).status;
const noted = (): unknown => gateway.log.findLast(({ msg }) => msg === 'request')?.['noted'];

/** Posts to a host; `fetch` sets its own. */
async function statusAt(host: string, headers = {}): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  httpRequest(gateway.url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers, host },
  })
    .on('response', (response) => void text(response).then(() => resolve(response.statusCode), reject))
    .on('error', reject)
    .end(JSON.stringify(product));
  return promise;
}

interface Example {
  /** Sends requests, and gives what the example has an effect on. */
  readonly observe: () => Promise<unknown>;
  readonly without: unknown;
  readonly with: unknown;
  readonly env?: Readonly<Record<string, string>>;
}

const examples: Readonly<Record<string, Example>> = {
  'api-key': {
    env: { API_KEYS: JSON.stringify({ [hash('sha256', 'open-sesame')]: 'billing' }) },
    observe: async () => [
      await statusOf(),
      await statusOf({ 'X-API-Key': 'open' }),
      await statusOf({ 'X-API-Key': 'open-sesame' }),
      noted(),
    ],
    without: [200, 200, 200, undefined],
    with: [401, 401, 200, { key_of: 'billing' }],
  },
  'header-from-claim': {
    observe: async () => {
      await gateway.post(product, await bearer({ scopes: ['costs:read'] }));
      const accountant = sent('x-role');
      await gateway.post(product, { 'X-Role': 'admin' });
      return [accountant, sent('x-role')];
    },
    without: [undefined, undefined],
    with: ['accountant', 'guest'],
  },
  'log-field': {
    observe: async () => {
      await gateway.post(product);
      return noted();
    },
    without: undefined,
    with: { about: '7', subgraph_bytes: '{"data":{"product":{"id":"7","name":"Product 7"}}}'.length },
  },
  'feature-flag': {
    observe: async () => {
      await gateway.post(product, await bearer({ tenant: 'acme' }));
      const acme = sent('x-features');
      await gateway.post(product, await bearer({ tenant: 'globex' }));
      return [acme, sent('x-features')];
    },
    without: [undefined, undefined],
    with: ['new-checkout fast-search', 'fast-search'],
  },
  'tenant-from-host': {
    observe: async () => [
      await statusAt('acme.shop.example', await bearer({ tenant: 'acme' })),
      sent('x-tenant'),
      await statusAt('acme.shop.example', await bearer({ tenant: 'globex' })),
      await statusAt('elsewhere.example'),
    ],
    without: [200, undefined, 200, 200],
    with: [200, 'acme', 403, 403],
  },
  'request-signing': {
    env: { SIGNING_SECRET: secret },
    observe: async () => {
      await gateway.post(product);
      const body = JSON.stringify(gateway.products.received[0]?.body);
      return sent('x-signature') === createHmac('sha256', secret).update(`products\n${body}`).digest('hex');
    },
    without: false,
    with: true,
  },
  'response-trimming': {
    observe: async () => {
      const topProducts = [null, { id: '9', price: null, parts: null }];
      gateway.products.misbehave((response) => respondJson(response, { data: { topProducts } }));
      const query = 'query Top { topProducts { id price parts { id } } }';
      const whole = await gateway.post({ query });
      const trimmed = await gateway.post({ query }, { 'X-Trim': 'nulls' });
      return [whole, trimmed].map(({ body }) => body.data?.['topProducts']);
    },
    without: [
      [null, { id: '9', price: null, parts: null }],
      [null, { id: '9', price: null, parts: null }],
    ],
    with: [
      [null, { id: '9', price: null, parts: null }],
      [null, { id: '9' }],
    ],
  },
  'maintenance-mode': {
    env: { MAINTENANCE_UNTIL: new Date(Date.now() + 3_600_000).toISOString() },
    observe: async () => {
      const { status, headers } = await gateway.post(rename);
      const seconds = Number(headers.get('retry-after'));
      return [status, seconds > 3000 && seconds <= 3600, await statusOf()];
    },
    without: [200, false, 200],
    with: [503, true, 200],
  },
  'audit-of-mutations': {
    observe: async () => {
      await gateway.post(product);
      await gateway.post(rename, await bearer({ tenant: 'acme', subject: 'bob' }));
      const lines = await readFile(process.env['AUDIT_FILE'] ?? '', 'utf8').catch(() => '');
      return lines === ''
        ? []
        : lines
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as unknown);
    },
    without: [],
    with: [
      {
        at: expect.stringMatching(/^\d{4}-/),
        id: expect.any(String),
        operation: 'Rename',
        tenant: 'acme',
        subject: 'bob',
        codes: [],
      },
    ],
  },
  'ab-label': {
    observe: async () => {
      const seen = new Set<string | null>();
      for (const subject of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']) {
        const { headers } = await gateway.post(product, await bearer({ subject }));
        expect(sent('x-label')).toBe(headers.get('x-label') ?? undefined);
        seen.add(headers.get('x-label'));
      }
      return seen;
    },
    without: new Set([null]),
    with: new Set(['a', 'b']),
  },
};

describe('The example', () => {
  it.each(Object.entries(examples))('%s', async (name, { env, observe, ...expected }) => {
    Object.assign(process.env, env);
    await start(undefined);
    expect(await observe()).toEqual(expected.without);
    await start(name);
    expect(await observe()).toEqual(expected.with);
  });

  it('feature-flag takes changed flags over', async () => {
    await start('feature-flag');
    await writeFile(join(dirname(gateway.configPath), 'flags.json'), '{ "new-checkout": ["globex"] }');
    await eventually(async () => {
      await gateway.post(product, await bearer({ tenant: 'globex' }));
      expect(sent('x-features')).toBe('new-checkout');
    });
  });
});
