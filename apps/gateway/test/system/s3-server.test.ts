import { describe, expect, it } from '@jest/globals';

import type { RemoteAccess } from '../../src/config/remote-files.ts';
import { s3Fetcher } from '../../src/remote/fetch-s3.ts';
import type { RemoteText } from '../../src/remote/fetch-text.ts';
import { sendWithin } from '../../src/remote/fetch-text.ts';
import { hasS3Server, s3Keys, startS3Server } from '../support/s3-server.ts';
import { useInSuite } from '../support/use-in-suite.ts';

const text = 'type Query { a: Int }';

const describeWithServer = hasS3Server() ? describe : describe.skip;

// Runs where versitygw is: CI installs it, as `go install github.com/versity/versitygw/cmd/versitygw@v1.8.0` does.
describeWithServer('An S3 server', () => {
  const server = useInSuite(() => startS3Server('graphs'));

  const fetchWith = (
    access: Partial<RemoteAccess['s3']>,
    { key = 'shop/supergraph.graphql', known, timeoutMs = 30_000 }: FetchOptions = {},
  ): Promise<RemoteText | undefined> =>
    s3Fetcher({ ...s3Keys, sessionToken: undefined, endpoint: server.url, ...access }, sendWithin(timeoutMs))(
      new URL(`s3://graphs/${key}`),
      known,
    );

  it('An object is fetched by its path, and again when its entity tag has changed', async () => {
    await server.put('/graphs/shop/supergraph.graphql', text);
    const first = await fetchWith({});
    expect(first).toEqual({ text, version: expect.stringMatching(/^"[\da-f]{32}"$/u) });
    expect(await fetchWith({}, { known: first?.version ?? '' })).toBeUndefined();

    await server.put('/graphs/shop/supergraph.graphql', `# changed\n${text}`);
    expect(await fetchWith({}, { known: first?.version ?? '' })).toMatchObject({
      text: `# changed\n${text}`,
    });
  });

  it.each([
    'a b.graphql',
    'a%20b.graphql',
    'a+b.graphql',
    "it's(1)!*.graphql",
    'é/ü.graphql',
    'a%25b.graphql',
  ])('s3Fetcher fetches the key %s', async (key) => {
    await server.put(
      `/graphs/${new URL(`s3://graphs/${key}`).pathname.slice(1).replaceAll('+', '%2B')}`,
      text,
    );
    expect(await fetchWith({}, { key })).toMatchObject({ text });
  });

  it.each([
    ['another secret', { secretAccessKey: 'wrong' }, 'the response has status 403 (SignatureDoesNotMatch)'],
    ['another name', { accessKeyId: 'bob' }, 'the response has status 403 (InvalidAccessKeyId)'],
    ['another region', { region: 'us-east-1' }, 'the response has status 400 (AuthorizationHeaderMalformed)'],
    ['no key', { accessKeyId: undefined }, 'the response has status 403 (AccessDenied)'],
  ])('An object is refused to %s, with the reason of the server', async (_name, access, message) => {
    await expect(fetchWith(access)).rejects.toThrow(message);
  });

  it('A key without an object is 404 NoSuchKey', async () => {
    await expect(fetchWith({}, { key: 'nothing' })).rejects.toThrow(
      'the response has status 404 (NoSuchKey)',
    );
  });

  it('A request is given up after the timeout while the server hangs', async () => {
    const hanging = await startS3Server('graphs');
    try {
      await hanging.put('/graphs/shop/supergraph.graphql', text);
      hanging.freeze();
      const request = fetchWith({ endpoint: hanging.url }, { timeoutMs: 300 });
      await expect(request).rejects.toThrow('no complete response in time');
      hanging.thaw();
      expect(await fetchWith({ endpoint: hanging.url })).toMatchObject({ text });
    } finally {
      await hanging.close();
    }
  });
});

interface FetchOptions {
  readonly key?: string;
  readonly known?: string;
  readonly timeoutMs?: number;
}
