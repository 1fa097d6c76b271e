import { hash } from 'node:crypto';

import { afterEach, describe, expect, it } from '@jest/globals';

import { httpsFetcher } from '../../src/remote/create-fetch-text.ts';
import { ociFetcher } from '../../src/remote/fetch-oci.ts';
import { s3Fetcher } from '../../src/remote/fetch-s3.ts';
import { readBytes, sendWithin } from '../../src/remote/fetch-text.ts';
import { startFileStore } from '../support/file-store.ts';
import { useInSuite } from '../support/use-in-suite.ts';

const store = useInSuite(startFileStore);
afterEach(() => {
  store.files.clear();
  store.requests.length = 0;
  store.respond = () => false;
});

const send = sendWithin(30_000);
const text = 'type Query { a: Int }';
const digestOf = (content: string): string => `sha256:${hash('sha256', content)}`;

describe('httpsFetcher', () => {
  const redirectsTo = (location: string): void => {
    store.respond = ({ url = '' }, response) => {
      if (!url.startsWith('/moved')) {
        return false;
      }
      response.writeHead(307, { Location: location }).end();
      return true;
    };
  };
  const fetchMoved = () => httpsFetcher('a-token', send)(new URL('/moved', store.url), undefined);

  it('follows a redirect, with its token, to the same origin', async () => {
    store.files.set('/supergraph.graphql', text);
    redirectsTo('/supergraph.graphql');
    expect(await fetchMoved()).toMatchObject({ text });
    expect(store.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer a-token',
      'Bearer a-token',
    ]);
  });

  it('follows a redirect, without its token, to another origin', async () => {
    await using other = await startFileStore({ '/supergraph.graphql': text });
    redirectsTo(`${other.url}/supergraph.graphql`);
    expect(await fetchMoved()).toMatchObject({ text });
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it.each([
    [
      'https://127.0.0.1/supergraph.graphql',
      'the response redirects to https:, and the scheme of the file is http:',
    ],
    ['file:///etc/passwd', 'the response redirects to file:, and the scheme of the file is http:'],
    ['http://graphs.example/supergraph.graphql', 'only https:// is fetched from another machine'],
    ['http://u:a-secret@127.0.0.1/graph', 'a URL with credentials is not fetched'],
    ['/moved-again', 'the response is the 6th redirect'],
  ])('rejects a redirect to %s', async (location, message) => {
    redirectsTo(location);
    await expect(fetchMoved()).rejects.toThrow(message);
  });
});

describe('s3Fetcher', () => {
  const access = { sessionToken: undefined, region: 'eu-central-1' };
  const url = new URL('s3://graphs/shop/supergraph.graphql');

  it('signs its requests, and fetches an object again only when its entity tag has changed', async () => {
    store.files.set('/graphs/shop/supergraph.graphql', text);
    const keys = { accessKeyId: 'an-id', secretAccessKey: 'a-secret' };
    const fetchText = s3Fetcher({ ...access, ...keys, endpoint: store.url }, send);
    const first = await fetchText(url, undefined);
    expect(first?.text).toBe(text);
    expect(await fetchText(url, first?.version)).toBeUndefined();
    expect(store.requests.map(({ headers }) => headers.authorization)).toEqual(
      Array(2).fill(
        expect.stringMatching(/^AWS4-HMAC-SHA256 Credential=an-id\/\d{8}\/eu-central-1\/s3\/aws4_request, /),
      ),
    );
  });

  it('needs no key for an object that anybody may read', async () => {
    store.files.set('/graphs/shop/supergraph.graphql', text);
    const keys = { accessKeyId: undefined, secretAccessKey: undefined };
    expect(await s3Fetcher({ ...access, ...keys, endpoint: store.url }, send)(url, undefined)).toMatchObject({
      text,
    });
    expect(store.requests[0]?.headers.authorization).toBeUndefined();
  });
});

describe('readBytes', () => {
  it.each([
    ['<?xml version="1.0"?><Error><Code>SignatureDoesNotMatch</Code></Error>', ' (SignatureDoesNotMatch)'],
    ['{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]}', ' (MANIFEST_UNKNOWN)'],
    ['<html>Forbidden</html>', ''],
    ['', ''],
  ])('names the reason of the store, where the response has one: %s', async (body, reason) => {
    await expect(readBytes(new Response(body, { status: 403 }))).rejects.toThrow(
      new Error(`the response has status 403${reason}`),
    );
  });
});

describe('ociFetcher', () => {
  const anonymous = { username: undefined, password: undefined };
  const put = (layers: readonly { readonly mediaType: string; readonly content: string }[]): string => {
    for (const { content } of layers) {
      store.files.set(`/v2/acme/graph/blobs/${digestOf(content)}`, content);
    }
    const manifest = JSON.stringify({
      schemaVersion: 2,
      layers: layers.map(({ mediaType, content }) => ({ mediaType, digest: digestOf(content) })),
    });
    store.files.set('/v2/acme/graph/manifests/prod', manifest);
    store.files.set(`/v2/acme/graph/manifests/${digestOf(manifest)}`, manifest);
    return digestOf(manifest);
  };
  const urlOf = (reference: string): URL =>
    new URL(`${store.url.replace('http:', 'oci:')}/acme/graph${reference}`);

  it.each([
    [[{ mediaType: 'text/plain', content: text }]],
    [
      [
        { mediaType: 'application/json', content: '{}' },
        { mediaType: 'application/apollo.schema', content: text },
      ],
    ],
  ])('fetches the text of an artifact by tag and by digest: %j', async (layers) => {
    const digest = put(layers);
    const fetchText = ociFetcher(anonymous, send);
    expect(await fetchText(urlOf(':prod'), undefined)).toEqual({ text, version: digest });
    expect(await fetchText(urlOf(`@${digest}`), undefined)).toEqual({ text, version: digest });
    expect(await fetchText(urlOf(':prod'), digest)).toBeUndefined();
  });

  it('gets a token where the registry asks for one', async () => {
    put([{ mediaType: 'text/plain', content: text }]);
    store.files.set('/token?service=registry&scope=repository%3Aacme%2Fgraph%3Apull', '{"token":"granted"}');
    store.respond = ({ url = '', headers }, response) => {
      if (url.startsWith('/token') || headers.authorization === 'Bearer granted') {
        return false;
      }
      const challenge = `Bearer realm="${store.url}/token",service="registry",scope="repository:acme/graph:pull"`;
      response.writeHead(401, { 'WWW-Authenticate': challenge }).end();
      return true;
    };
    expect(
      await ociFetcher({ username: 'ann', password: 'pw' }, send)(urlOf(':prod'), undefined),
    ).toMatchObject({
      text,
    });
    const received = store.requests.find(({ path }) => path.startsWith('/token'));
    expect(received?.headers.authorization).toBe(`Basic ${Buffer.from('ann:pw').toString('base64')}`);
  });

  it('follows a registry to its storage, which does not receive the credentials of the registry', async () => {
    put([{ mediaType: 'text/plain', content: text }]);
    await using storage = await startFileStore({ '/stored?signature=its-own': text });
    store.respond = ({ url = '', headers }, response) => {
      if (headers.authorization === undefined) {
        response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="registry"' }).end();
        return true;
      }
      if (url.includes('/blobs/')) {
        response.writeHead(307, { Location: `${storage.url}/stored?signature=its-own` }).end();
        return true;
      }
      return false;
    };
    expect(
      await ociFetcher({ username: 'ann', password: 'pw' }, send)(urlOf(':prod'), undefined),
    ).toMatchObject({
      text,
    });
    expect(storage.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it.each(['manifests', 'blobs'])(
    'sends its credentials to nobody else: not to storage that asks for them, with %s',
    async (redirected) => {
      put([{ mediaType: 'text/plain', content: text }]);
      await using thief = await startFileStore({ '/steal?service=x': '{"token":"stolen"}' });
      thief.respond = ({ url = '' }, response) => {
        if (url.startsWith('/steal')) {
          return false;
        }
        const challenge = `Bearer realm="${thief.url}/steal",service="x"`;
        response.writeHead(401, { 'WWW-Authenticate': challenge }).end();
        return true;
      };
      store.respond = ({ url = '' }, response) => {
        if (!url.includes(`/${redirected}/`)) {
          return false;
        }
        response.writeHead(307, { Location: `${thief.url}${url}` }).end();
        return true;
      };
      await expect(
        ociFetcher({ username: 'ann', password: 'pw' }, send)(urlOf(':prod'), undefined),
      ).rejects.toThrow(/another origin, which asks for credentials|status 401/);
      expect(thief.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    },
  );

  it('rejects a token from a URL of another scheme', async () => {
    store.respond = (_request, response) => {
      response.writeHead(401, { 'WWW-Authenticate': 'Bearer realm="https://127.0.0.1/token"' }).end();
      return true;
    };
    await expect(
      ociFetcher({ username: 'ann', password: 'pw' }, send)(urlOf(':prod'), undefined),
    ).rejects.toThrow('asks for a token from a URL that is not accepted');
  });

  it('requests nothing for a layer whose digest is a path', async () => {
    store.files.set(
      '/v2/acme/graph/manifests/prod',
      JSON.stringify({ layers: [{ mediaType: 'text/plain', digest: '../../../../secret?x=' }] }),
    );
    await expect(ociFetcher(anonymous, send)(urlOf(':prod'), undefined)).rejects.toThrow(
      'the digest of the layer is not of the form',
    );
    expect(store.requests.map(({ path }) => path)).toEqual(['/v2/acme/graph/manifests/prod']);
  });

  it('rejects a layer that does not have its digest', async () => {
    put([{ mediaType: 'text/plain', content: text }]);
    store.files.set(`/v2/acme/graph/blobs/${digestOf(text)}`, 'type Query { secret: Int }');
    await expect(ociFetcher(anonymous, send)(urlOf(':prod'), undefined)).rejects.toThrow(
      'the layer has the digest',
    );
  });

  it('rejects a manifest that does not have the digest of its reference', async () => {
    const digest = put([{ mediaType: 'text/plain', content: text }]);
    store.files.set(`/v2/acme/graph/manifests/${digest}`, '{"layers":[]}');
    await expect(ociFetcher(anonymous, send)(urlOf(`@${digest}`), undefined)).rejects.toThrow(
      'the manifest has',
    );
  });

  it('says which layers it lacks', async () => {
    put([
      { mediaType: 'a/a', content: 'a' },
      { mediaType: 'b/b', content: 'b' },
    ]);
    await expect(ociFetcher(anonymous, send)(urlOf(':prod'), undefined)).rejects.toThrow(
      'the artifact has 2 layers, none of type application/apollo.schema',
    );
  });
});
