import { createHash } from 'node:crypto';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { persisted } from '../../support/test-gateway.ts';
import { useTestGateway } from '../../support/use-test-gateway.ts';

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

const gateway = useTestGateway();

describe('The safelist with require_id', () => {
  beforeAll(() =>
    gateway.start({
      manifest,
      config: `persisted_queries: { enabled: true, log_unknown: true, safelist: { enabled: true, require_id: true }, ${manifests} }`,
    }),
  );
  it('runs the operation of an identifier in the manifest, which need not be a hash', async () => {
    expect((await gateway.post(persisted('time-of-day'))).body).toEqual(time);
  });

  it('runs an identifier in the query string', async () => {
    expect((await gateway.get(persisted('time-of-day'))).body).toEqual(time);
  });

  it.each([
    ['opaque', 'time-of-day'],
    ['a hash', hash],
    ['a hash with the prefix of the draft', `sha256:${hash}`],
    ['a hash whose prefix is in the manifest, without it', '0'.repeat(64)],
    ['a hash whose prefix is in the manifest, with it', `sha256:${'0'.repeat(64)}`],
  ])('reads documentId as an identifier, by POST and by GET: %s', async (_which, documentId) => {
    expect((await gateway.post({ documentId })).body).toEqual(time);
    expect((await gateway.get({ documentId })).body).toEqual(time);
  });

  it('accepts documentId next to extensions.persistedQuery when they mean one operation', async () => {
    expect((await gateway.post({ documentId: `sha256:${hash}`, ...persisted(hash) })).body).toEqual(time);
    const { body, code } = await gateway.post({ documentId: 'time-of-day', ...persisted(hash) });
    expect([code, body.errors?.[0]?.message]).toEqual([
      'BAD_REQUEST',
      expect.stringContaining('two operations'),
    ]);
  });

  it('applies the same rules to documentId as to any identifier', async () => {
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
    'answers an identifier sent as %s with what to send instead',
    async (name) => {
      for (const response of [await gateway.post({ [name]: hash }), await gateway.get({ [name]: hash })]) {
        expect([response.status, response.body.errors?.[0]?.message]).toEqual([
          400,
          expect.stringContaining(`\`${name}\` is not read: send the identifier as \`documentId\``),
        ]);
      }
    },
  );

  it('answers 404 to an identifier in the path, with the path of the graph', async () => {
    const response = await fetch(`${gateway.url}/${hash}`, {
      headers: { 'apollo-require-preflight': 'yes' },
    });
    expect([response.status, await response.text()]).toEqual([
      404,
      expect.stringContaining('The graph endpoint is at /graphql, not at this path: send the identifier'),
    ]);
  });

  it('answers 405 to a persisted mutation by GET', async () => {
    expect((await gateway.get(persisted('rename'))).status).toBe(405);
  });

  it('answers 404 PERSISTED_QUERY_NOT_IN_LIST to an identifier that is not in the manifest', async () => {
    const { status, code } = await gateway.post(persisted('nothing'), draft);
    expect({ status, code }).toEqual({ status: 404, code: 'PERSISTED_QUERY_NOT_IN_LIST' });
  });

  it('answers 400 PERSISTED_QUERY_ID_REQUIRED to a text without an identifier', async () => {
    const { status, code } = await gateway.post({ query: listed }, draft);
    expect({ status, code }).toEqual({ status: 400, code: 'PERSISTED_QUERY_ID_REQUIRED' });
  });

  it('answers 400 CANNOT_SEND_PQ_ID_AND_BODY to an identifier together with a text', async () => {
    const { status, code } = await gateway.post({ query: listed, ...persisted('time-of-day') }, draft);
    expect({ status, code }).toEqual({ status: 400, code: 'CANNOT_SEND_PQ_ID_AND_BODY' });
  });

  it('never answers PERSISTED_QUERY_NOT_FOUND, which makes clients send the text', async () => {
    const { body } = await gateway.post(persisted('nothing'));
    expect(JSON.stringify(body)).not.toMatch(/not_?found/i);
  });

  it('fetches nothing for a request error', async () => {
    await gateway.post({ query: listed });
    expect(gateway.products.received).toEqual([]);
  });

  it('logs refused operations with log_unknown', async () => {
    await gateway.post({ query: 'query Unheard { time }' });
    await gateway.logged({ msg: 'unknown operation', operation: 'query Unheard { time }' });
  });

  it('logs at most 4096 characters of a text', async () => {
    const query = 'query Long { time } #'.padEnd(20_000, 'x');
    await gateway.post({ query });
    await gateway.logged({ msg: 'unknown operation', operation: query.slice(0, 4096) });
  });
});

describe('The safelist without require_id', () => {
  beforeAll(() =>
    gateway.start({
      manifest,
      config: `persisted_queries: { enabled: true, safelist: { enabled: true }, ${manifests} }`,
    }),
  );
  it('answers 403 QUERY_NOT_IN_SAFELIST to a text that is not in the manifest', async () => {
    const { status, code } = await gateway.post({ query: 'query Other { time }' }, draft);
    expect({ status, code }).toEqual({ status: 403, code: 'QUERY_NOT_IN_SAFELIST' });
  });

  it.each([listed, 'query Time {\n  # the time\n  time,\n}'])(
    'runs a text of the manifest, however it is laid out',
    async (query) => {
      expect((await gateway.post({ query })).body).toEqual(time);
    },
  );

  it('refuses a text before it is validated', async () => {
    expect((await gateway.post({ query: 'query Other { nothing }' })).code).toBe('QUERY_NOT_IN_SAFELIST');
  });

  it('refuses a text again when it is sent again', async () => {
    expect((await gateway.post({ query: 'query Other { time }' })).code).toBe('QUERY_NOT_IN_SAFELIST');
  });
});

describe('Persisted queries without a safelist', () => {
  beforeAll(() =>
    gateway.start({
      manifest,
      config: `apq: { enabled: false }\npersisted_queries: { enabled: true, log_unknown: true, ${manifests} }`,
    }),
  );
  it('run any text, and log one that is not in the manifest', async () => {
    expect((await gateway.post({ query: 'query Other { time }' })).body).toEqual(time);
    expect(gateway.log.filter(({ msg }) => msg === 'unknown operation')).toHaveLength(1);
  });

  it('answer PERSISTED_QUERY_NOT_IN_LIST to an identifier that is not in the manifest', async () => {
    expect((await gateway.post(persisted('nothing'))).code).toBe('PERSISTED_QUERY_NOT_IN_LIST');
  });
});
