import { PassThrough } from 'node:stream';

import { describe, expect, it } from '@jest/globals';

import { Upload } from '../../src/uploads/upload.ts';
import { form, formHeaders, operation, store } from './form.ts';

function open(sent: Buffer) {
  const body = new PassThrough();
  body.write(sent);
  const upload = new Upload({
    body,
    contentType: formHeaders['content-type'],
    maxFiles: 2,
    maxFileBytes: 1_000_000,
    operationTimeoutMs: undefined,
    json: { maxDepth: 100, maxValues: 1000 },
    onFailure: () => {},
  });
  return { upload, body };
}

const beginning = form(operation(store, { file: null }, { 0: ['variables.file'] }), '--x\r\n');

describe('An upload', () => {
  it('whose request ends gives a subgraph that waits for a file an error, not an end', async () => {
    const { upload } = open(beginning);
    await upload.readOperation({ maxBytes: 1000, signal: new AbortController().signal });
    const file = upload.take([0]).next();
    upload.close();
    await expect(file).rejects.toThrow('the request has ended');
  });

  it('of a request that has ended already is not awaited', async () => {
    const { upload, body } = open(beginning);
    body.destroy();
    const operationOf = upload.readOperation({
      maxBytes: 1000,
      signal: AbortSignal.abort(new Error('over')),
    });
    await expect(operationOf).rejects.toThrow('over');
  });

  it.each(['field', 'file'])('in too many small chunks is rejected within its %s', async (place) => {
    const { upload, body } = open(place === 'file' ? beginning : Buffer.from('--x\r\n'));
    let rejected: Promise<unknown> = upload.readOperation({
      maxBytes: 100_000,
      signal: new AbortController().signal,
    });
    if (place === 'file') {
      await rejected;
      rejected = upload.take([0]).next();
      body.write('Content-Disposition: form-data; name="0"; filename="a"\r\n\r\n');
    }
    const byte = Buffer.from('x');
    for (let count = 0; count < 20_000; count += 1) {
      body.write(byte);
    }
    await expect(rejected).rejects.toThrow('too many small chunks');
  });
});
