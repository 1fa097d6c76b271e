import { createHash } from 'node:crypto';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import type { TestGateway } from '../../support/test-gateway.ts';
import { persisted, startTestGateway } from '../../support/test-gateway.ts';

const listed = 'query Time { time }';
const hash = createHash('sha256').update(listed).digest('hex');
const manifest = {
  'time-of-day': listed,
  [hash]: listed,
  [`sha256:${'0'.repeat(64)}`]: listed,
  rename: 'mutation Rename { rename(id: 1, name: "x") { name } }',
};
const manifests = 'local_manifests: ["${env.MANIFEST_PATH}"]';
const draft = { Accept: 'application/graphql-response+json' };
const time = { data: { time: 'now' } };

let gateway: TestGateway;

afterEach(() => gateway.products.reset());

describe('the safelist with require_id', () => {
  beforeAll(async () => {
    gateway = await startTestGateway({
      manifest,
      config: `persisted_queries: { enabled: true, log_unknown: true, safelist: { enabled: true, require_id: true }, ${manifests} }`,
    });
  });
  afterAll(() => gateway.close());

  it('an identifier in the manifest runs its operation, which need not be a hash', async () => {
    expect((await gateway.post(persisted('time-of-day'))).body).toEqual(time);
  });

  it('an identifier may come in the query string', async () => {
    expect((await gateway.get(persisted('time-of-day'))).body).toEqual(time);
  });

  it.each([
    ['opaque', 'time-of-day'],
    ['a hash', hash],
    ['a hash with the prefix of the draft', `sha256:${hash}`],
    ['a hash whose prefix is in the manifest, without it', '0'.repeat(64)],
    ['a hash whose prefix is in the manifest, with it', `sha256:${'0'.repeat(64)}`],
  ])('documentId is an identifier, by POST and by GET: %s', async (_which, documentId) => {
    expect((await gateway.post({ documentId })).body).toEqual(time);
    expect((await gateway.get({ documentId })).body).toEqual(time);
  });

  it('documentId and extensions.persistedQuery may stand together where they mean one operation', async () => {
    expect((await gateway.post({ documentId: `sha256:${hash}`, ...persisted(hash) })).body).toEqual(time);
    const { body, code } = await gateway.post({ documentId: 'time-of-day', ...persisted(hash) });
    expect([code, body.errors?.[0]?.message]).toEqual([
      'BAD_REQUEST',
      expect.stringContaining('two operations'),
    ]);
  });

  it('documentId is held to the rules of any identifier', async () => {
    const codes = [
      await gateway.post({ documentId: 'nothing' }),
      await gateway.post({ documentId: 'time-of-day', query: listed }),
      await gateway.post({ documentId: 7 }),
      await gateway.get({ documentId: 'rename' }),
    ].map(({ code }) => code);
    expect(codes).toEqual([
      'PERSISTED_QUERY_NOT_IN_LIST',
      'CANNOT_SEND_PQ_ID_AND_BODY',
      'BAD_REQUEST',
      'METHOD_NOT_ALLOWED',
    ]);
  });

  it.each(['doc_id', 'id', 'queryId'])(
    'an identifier as %s is refused with what to send instead',
    async (name) => {
      for (const response of [await gateway.post({ [name]: hash }), await gateway.get({ [name]: hash })]) {
        expect([response.status, response.body.errors?.[0]?.message]).toEqual([
          400,
          expect.stringContaining(`\`${name}\` is not read: send the identifier as \`documentId\``),
        ]);
      }
    },
  );

  it('an identifier in the path is 404, with where the graph is', async () => {
    const response = await fetch(`${gateway.url}/${hash}`, {
      headers: { 'apollo-require-preflight': 'yes' },
    });
    expect([response.status, await response.text()]).toEqual([
      404,
      expect.stringContaining('The graph endpoint is at /graphql, not at this path: send the identifier'),
    ]);
  });

  it('a persisted mutation by GET is 405', async () => {
    expect((await gateway.get(persisted('rename'))).status).toBe(405);
  });

  it('identifier not in the manifest is PERSISTED_QUERY_NOT_IN_LIST, 404', async () => {
    const { status, code } = await gateway.post(persisted('nothing'), draft);
    expect({ status, code }).toEqual({ status: 404, code: 'PERSISTED_QUERY_NOT_IN_LIST' });
  });

  it('text without identifier while require_id is PERSISTED_QUERY_ID_REQUIRED, 400', async () => {
    const { status, code } = await gateway.post({ query: listed }, draft);
    expect({ status, code }).toEqual({ status: 400, code: 'PERSISTED_QUERY_ID_REQUIRED' });
  });

  it('identifier and text together is CANNOT_SEND_PQ_ID_AND_BODY, 400', async () => {
    const { status, code } = await gateway.post({ query: listed, ...persisted('time-of-day') }, draft);
    expect({ status, code }).toEqual({ status: 400, code: 'CANNOT_SEND_PQ_ID_AND_BODY' });
  });

  it('never answers PERSISTED_QUERY_NOT_FOUND, upon which a client would send the text', async () => {
    const { body } = await gateway.post(persisted('nothing'));
    expect(JSON.stringify(body)).not.toMatch(/not_?found/i);
  });

  it('fetches nothing for what it refuses', async () => {
    await gateway.post({ query: listed });
    expect(gateway.products.received).toEqual([]);
  });

  it('is told of in the log with log_unknown', async () => {
    await gateway.post({ query: 'query Unheard { time }' });
    expect(gateway.log).toContainEqual(
      expect.objectContaining({ msg: 'unknown operation', operation: 'query Unheard { time }' }),
    );
  });

  it('is told of in 4096 characters at most', async () => {
    const query = 'query Long { time } #'.padEnd(20_000, 'x');
    await gateway.post({ query });
    expect(gateway.log).toContainEqual(
      expect.objectContaining({ msg: 'unknown operation', operation: query.slice(0, 4096) }),
    );
  });
});

describe('the safelist without require_id', () => {
  beforeAll(async () => {
    gateway = await startTestGateway({
      manifest,
      config: `persisted_queries: { enabled: true, safelist: { enabled: true }, ${manifests} }`,
    });
  });
  afterAll(() => gateway.close());

  it('text not in the safelist (no require_id) is QUERY_NOT_IN_SAFELIST, 403', async () => {
    const { status, code } = await gateway.post({ query: 'query Other { time }' }, draft);
    expect({ status, code }).toEqual({ status: 403, code: 'QUERY_NOT_IN_SAFELIST' });
  });

  it.each([listed, 'query Time {\n  # the time\n  time,\n}'])(
    'a text of the manifest runs, however laid out',
    async (query) => {
      expect((await gateway.post({ query })).body).toEqual(time);
    },
  );

  it('refuses a text before it is validated', async () => {
    expect((await gateway.post({ query: 'query Other { nothing }' })).code).toBe('QUERY_NOT_IN_SAFELIST');
  });

  it('refuses it again when it is sent again', async () => {
    expect((await gateway.post({ query: 'query Other { time }' })).code).toBe('QUERY_NOT_IN_SAFELIST');
  });
});

describe('persisted queries without a safelist', () => {
  beforeAll(async () => {
    gateway = await startTestGateway({
      manifest,
      config: `apq: { enabled: false }\npersisted_queries: { enabled: true, log_unknown: true, ${manifests} }`,
    });
  });
  afterAll(() => gateway.close());

  it('any text runs, and one that is not listed is told of in the log', async () => {
    expect((await gateway.post({ query: 'query Other { time }' })).body).toEqual(time);
    expect(gateway.log.filter(({ msg }) => msg === 'unknown operation')).toHaveLength(1);
  });

  it('an identifier that is not listed is PERSISTED_QUERY_NOT_IN_LIST', async () => {
    expect((await gateway.post(persisted('nothing'))).code).toBe('PERSISTED_QUERY_NOT_IN_LIST');
  });
});
