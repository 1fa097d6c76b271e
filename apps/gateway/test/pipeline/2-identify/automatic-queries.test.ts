import { createHash } from 'node:crypto';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { persisted } from '../../support/test-gateway.ts';
import { useTestGateway } from '../../support/use-test-gateway.ts';

const query = 'query Time { time }';
const hash = createHash('sha256').update(query).digest('hex');
const time = { data: { time: 'now' } };

const gateway = useTestGateway();

describe('Automatic persisted queries', () => {
  beforeAll(() => gateway.start());
  it('answer a miss with 200 PERSISTED_QUERY_NOT_FOUND, with the message that clients look for', async () => {
    const { status, body } = await gateway.post(persisted('0'.repeat(64)));
    expect(status).toBe(200);
    expect(body.errors).toMatchObject([
      { message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } },
    ]);
  });

  it('run a text that comes with its hash, and from then on the hash alone', async () => {
    expect((await gateway.post({ query, ...persisted(hash) })).body).toEqual(time);
    expect((await gateway.get(persisted(hash))).body).toEqual(time);
  });

  it('register and find a text by documentId as well', async () => {
    const other = 'query Other { time }';
    const documentId = `sha256:${createHash('sha256').update(other).digest('hex')}`;
    expect((await gateway.post({ documentId })).code).toBe('PERSISTED_QUERY_NOT_FOUND');
    expect((await gateway.post({ query: other, documentId })).body).toEqual(time);
    expect((await gateway.get({ documentId })).body).toEqual(time);
  });

  it('store a text of 100 000 characters, and run a longer one without storing it', async () => {
    const codes = await Promise.all(
      [100_000, 100_001].map(async (length) => {
        const text = `${query} #`.padEnd(length, 'x');
        const named = persisted(createHash('sha256').update(text).digest('hex'));
        expect((await gateway.post({ query: text, ...named })).body).toEqual(time);
        return (await gateway.post(named)).code;
      }),
    );
    expect(codes).toEqual([undefined, 'PERSISTED_QUERY_NOT_FOUND']);
  });

  it('refuse a text that comes with another hash', async () => {
    expect((await gateway.post({ query, ...persisted('0'.repeat(64)) })).code).toBe(
      'PERSISTED_QUERY_HASH_MISMATCH',
    );
  });
});

describe('The gateway without automatic persisted queries', () => {
  beforeAll(() => gateway.start({ config: 'apq: { enabled: false }' }));
  it('answers PERSISTED_QUERY_NOT_SUPPORTED to a hash alone', async () => {
    expect((await gateway.post(persisted(hash))).code).toBe('PERSISTED_QUERY_NOT_SUPPORTED');
  });

  it('ignores a hash next to a text', async () => {
    expect((await gateway.post({ query, ...persisted(hash) })).body).toEqual(time);
  });
});
