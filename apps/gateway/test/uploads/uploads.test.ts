// GraphQL multipart requests through the gateway, to subgraphs that run `graphql-upload`.
import { createHash, randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';

import { ApolloClient, InMemoryCache, gql } from '@apollo/client/core';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import UploadHttpLink from 'apollo-upload-client/UploadHttpLink.mjs';

import { respondJson } from '../support/stub-subgraph.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { useInSuite } from '../support/use-in-suite.ts';
import type { Part } from './form.ts';
import { form, formHeaders, operation, store } from './form.ts';
import type { Misbehaviour } from './upload-subgraphs.ts';
import { startUploadSubgraphs } from './upload-subgraphs.ts';

const gateway = useTestGateway();
const subgraphs = useInSuite(startUploadSubgraphs);

beforeAll(() =>
  gateway.start({
    config: `
preview_file_uploads:
  enabled: true
  protocols: { multipart: { limits: { max_file_size: 3MB, max_files: 4 } } }
subscription: { enabled: true, mode: { passthrough: { all: { path: /ws } } } }
persisted_queries: { enabled: true, local_manifests: ['\${env.MANIFEST_PATH}'] }
demand_control: { enabled: true, mode: enforce, strategy: { static_estimated: { list_size: 10, max: 35 } } }
`,
    manifest: { stored: store },
    prepare: (directory) => subgraphs.prepare(directory),
  }),
);
afterEach(() => {
  subgraphs.received.length = 0;
  subgraphs.misbehave(undefined);
});

const oneFile = (content: string | Buffer): readonly Part[] =>
  operation(store, { file: null }, { 0: ['variables.file'] }, ['0', content, 'a.txt', 'text/plain']);

/** Router's metrics of uploads. */
async function uploadMetrics(): Promise<Record<string, number>> {
  const lines = (await gateway.metrics()).matchAll(
    /^apollo_router_operations_file_uploads_(total|\w+_(?:sum|count))\{?([^}\n]*)\}? (\S+)$/gm,
  );
  return Object.fromEntries(
    Array.from(lines, ([, name = '', labels = '', value]) => {
      const [, size] = /max_file_size_exceeded="(\w+)"/.exec(labels) ?? [];
      const [, files] = /max_files_exceeded="(\w+)"/.exec(labels) ?? [];
      return [size === undefined ? name : `${name} size=${size} files=${files}`, Number(value)];
    }),
  );
}

interface Shown {
  readonly status: number;
  readonly data: Readonly<Record<string, unknown>> | null | undefined;
  readonly code: string | undefined;
  readonly message: string | undefined;
}

async function sendFor(accept: string, body: Buffer): Promise<string> {
  const headers = { ...formHeaders, accept };
  return await (await fetch(gateway.url, { method: 'POST', headers, body: new Uint8Array(body) })).text();
}

async function send(body: Buffer, headers: Readonly<Record<string, string>> = {}): Promise<Shown> {
  const response = await fetch(gateway.url, {
    method: 'POST',
    headers: { ...formHeaders, ...headers },
    body: new Uint8Array(body),
  });
  const { data, errors } = (await response.json()) as {
    data?: Shown['data'];
    errors?: { message: string; extensions: { code: string } }[];
  };
  return { status: response.status, data, code: errors?.[0]?.extensions.code, message: errors?.[0]?.message };
}

const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

describe('An upload', () => {
  it('reaches the subgraph with its name, its type and each byte', async () => {
    const content = randomBytes(2_500_000);
    const fileName = 'Überblick "1".txt';
    const parts = operation(store, { file: null }, { 0: ['variables.file'] }, [
      '0',
      content,
      fileName.replaceAll('"', '%22'),
      'text/x-plain',
    ]);
    expect((await send(form(parts))).data).toEqual({
      store: {
        name: 'Überblick %221%22.txt',
        mediaType: 'text/x-plain',
        bytes: content.length,
        sha256: hashOf(content),
      },
    });
    expect(subgraphs.received).toEqual([
      { subgraph: 'files', contentType: expect.stringMatching(/^multipart\/form-data; boundary=/) },
    ]);
  });

  it('of an empty file is one', async () => {
    expect((await send(form(oneFile('')))).data).toMatchObject({ store: { bytes: 0 } });
  });

  it('by apollo-upload-client arrives, in lists and in input objects', async () => {
    const client = new ApolloClient({
      cache: new InMemoryCache(),
      link: new UploadHttpLink({ uri: gateway.url, headers: { 'apollo-require-preflight': 'true' } }),
    });
    const file = (text: string): File => new File([text], `${text}.txt`, { type: 'text/plain' });
    const { data } = await client.mutate({
      mutation: gql`
        mutation Test($files: [Upload!]!, $album: Album!) {
          storeAll(files: $files) {
            name
            sha256
          }
          storeAlbum(album: $album) {
            name
            sha256
          }
        }
      `,
      variables: { files: [file('a'), file('b')], album: { cover: file('c'), pages: [file('d')] } },
    });
    const stored = (text: string): object =>
      expect.objectContaining({ name: `${text}.txt`, sha256: hashOf(text) });
    expect(data).toMatchObject({
      storeAll: [stored('a'), stored('b')],
      storeAlbum: [stored('c'), stored('d')],
    });
    client.stop();
  });

  it('keeps the digits of other variables, as a request in JSON does', async () => {
    const amounts = '{"one":9007199254740993,"some":[1.10,-0.0,1e400,12345678901234567890.5]}';
    const query =
      'mutation Test($amounts: Decimals!, $file: Upload) { record(amounts: $amounts, file: $file) }';
    const request = `{"query":${JSON.stringify(query)},"variables":{"file":null,"amounts":${amounts}}}`;
    const sent: string[] = [];
    const record = async (...[received, response]: Parameters<Misbehaviour>): Promise<void> => {
      sent.push(await text(received));
      respondJson(response, { data: { record: 'yes' } });
    };
    subgraphs.misbehave((received, response) => void record(received, response));
    const asJson = await gateway.send(request);
    expect(await asJson.json()).toEqual({ data: { record: 'yes' } });
    const parts: readonly Part[] = [
      ['operations', request],
      ['map', '{"0":["variables.file"]}'],
      ['0', 'x', 'a.txt'],
    ];
    expect((await send(form(parts))).data).toEqual({ record: 'yes' });
    expect(subgraphs.received.map(({ contentType = '' }) => contentType.split(';')[0])).toEqual([
      'application/json',
      'multipart/form-data',
    ]);
    expect(sent).toEqual([expect.stringContaining(amounts), expect.stringContaining(amounts)]);
  });

  it('of a file that no subgraph needs is dropped, before and after others', async () => {
    const parts = operation(
      store,
      { file: null },
      { 1: ['variables.file'] },
      ['0', 'unknown', '0.txt'],
      ['1', 'needed', '1.txt'],
      ['2', 'unknown', '2.txt'],
    );
    expect((await send(form(parts))).data).toMatchObject({
      store: { name: '1.txt', sha256: hashOf('needed') },
    });
  });

  it('of a query arrives too, and equal queries are sent one by one', async () => {
    const query = 'query Test($file: Upload!) { checksum(file: $file) }';
    const body = form(operation(query, { file: null }, { f: ['variables.file'] }, ['f', 'x', 'x']));
    const responses = await Promise.all([send(body), send(body)]);
    expect(responses.map(({ data }) => data)).toEqual([{ checksum: hashOf('x') }, { checksum: hashOf('x') }]);
    expect(subgraphs.received).toHaveLength(2);
  });

  it('for two subgraphs is rejected before either gets it', async () => {
    const query = 'mutation Test($file: Upload!) { store(file: $file) { name } archive(file: $file) }';
    const response = await send(
      form(operation(query, { file: null }, { 0: ['variables.file'] }, ['0', 'x', 'x'])),
    );
    expect(response).toMatchObject({ status: 400, code: 'FILE_UPLOADS_OPERATION_CANNOT_STREAM' });
    expect(response.message).toContain('$file');
    expect(subgraphs.received).toEqual([]);
  });

  it('of several files goes to several subgraphs in the order of the request', async () => {
    const query =
      'mutation Test($a: Upload!, $b: Upload!, $c: Upload!) { store(file: $a) { name sealed(seal: $b) } archive(file: $c) }';
    const [a, b, c] = ['a', 'b', 'c'].map((name): Part => [name, name, name]) as [Part, Part, Part];
    const [toA, toB, toC] = ['a', 'b', 'c'].map((name) => [`variables.${name}`]);
    const variables = { a: null, b: null, c: null };
    const inOrder = form(operation(query, variables, { a: toA, b: toB, c: toC }, a, b, c));
    expect((await send(inOrder)).data).toEqual({ store: { name: 'a', sealed: 'a b' }, archive: 'c' });
    expect(subgraphs.received.map(({ subgraph }) => subgraph)).toEqual(['files', 'archive', 'archive']);
    const misordered = form(operation(query, variables, { c: toC, b: toB, a: toA }, c, b, a));
    expect(await send(misordered)).toMatchObject({
      status: 400,
      code: 'FILE_UPLOADS_OPERATION_CANNOT_STREAM',
    });
    expect(subgraphs.received).toHaveLength(3);
  });

  it('to two subgraphs at the same time is rejected', async () => {
    const query = 'query Test($a: Upload!, $b: Upload!) { checksum(file: $a) sum(file: $b) }';
    const map = { a: ['variables.a'], b: ['variables.b'] };
    const parts = operation(query, { a: null, b: null }, map, ['a', 'a', 'a'], ['b', 'b', 'b']);
    expect(await send(form(parts))).toMatchObject({ code: 'FILE_UPLOADS_OPERATION_CANNOT_STREAM' });
    expect(subgraphs.received).toEqual([]);
  });
});

describe('A multipart request', () => {
  const file: Part = ['0', 'x', 'a.txt'];
  const map = { 0: ['variables.file'] };
  const variables = { file: null };
  const [operations, mapPart] = operation(store, variables, map) as [Part, Part];
  const cannotStream = { status: 400, code: 'FILE_UPLOADS_OPERATION_CANNOT_STREAM' };
  const mapped = (paths: unknown): Buffer => form([operations, ['map', JSON.stringify(paths)], file]);

  it.each([
    ['no operations', form([mapPart, file]), cannotStream],
    ['no map', form([operations, file]), cannotStream],
    ['no part', Buffer.from('--x--\r\n'), cannotStream],
    ['no bytes', Buffer.alloc(0), cannotStream],
    ['the file first', form([file, operations, mapPart]), cannotStream],
    ['operations twice', form([operations, operations, file]), cannotStream],
    ['map twice', form([operations, mapPart, mapPart, file]), cannotStream],
    ['no file', form([operations, mapPart]), cannotStream],
    ['its file before one of another name', form([operations, mapPart, ['1', 'x', 'x']]), cannotStream],
    ['a truncated boundary', form([operations, mapPart, file], '--x'), cannotStream],
    ['a map that is a list', mapped([]), cannotStream],
    ['a map of a text', mapped({ 0: 'variables.file' }), cannotStream],
    ['a path without variables', mapped({ 0: ['file'] }), cannotStream],
    ['a path to all variables', mapped({ 0: ['variables'] }), cannotStream],
    ['a path to a prototype', mapped({ 0: ['variables.__proto__.polluted'] }), cannotStream],
    ['a path to a constructor', mapped({ 0: ['variables.constructor.prototype.polluted'] }), cannotStream],
    ['a path to the length of a text', mapped({ 0: ['variables.file.length'] }), cannotStream],
    ['a deep path', mapped({ 0: [`variables${'.a'.repeat(4000)}`] }), cannotStream],
    ['a path of a batch', mapped({ 0: ['0.variables.file'] }), cannotStream],
    ['a batch', form([['operations', '[{"query":"{ greeting }"}]'], mapPart, file]), cannotStream],
    [
      '10 000 files',
      mapped(Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [at, []]))),
      { status: 413 },
    ],
    [
      'five files in its map',
      mapped({ 0: [], 1: [], 2: [], 3: [], 4: [] }),
      { status: 413, code: 'FILE_UPLOADS_LIMITS_MAX_FILES_EXCEEDED' },
    ],
    [
      'too many parts',
      form([operations, mapPart, ...Array.from({ length: 5 }, (_, at): Part => [`n${at}`, 'x', 'x'])]),
      { status: 413, code: 'FILE_UPLOADS_LIMITS_MAX_FILES_EXCEEDED' },
    ],
    [
      'too large a file',
      form([operations, mapPart, ['0', Buffer.alloc(3_000_001), 'big.bin']]),
      { status: 413, code: 'FILE_UPLOADS_LIMITS_MAX_FILE_SIZE_EXCEEDED' },
    ],
    [
      'too long an operation',
      form([['operations', JSON.stringify({ query: `${store}#${'x'.repeat(2_100_000)}` })], mapPart, file]),
      { status: 413, code: 'PAYLOAD_TOO_LARGE' },
    ],
    ['an endless preamble', Buffer.alloc(2_300_000, 'a'), { status: 413, code: 'PAYLOAD_TOO_LARGE' }],
    [
      'an operation that is not JSON',
      form([['operations', '{'], mapPart, file]),
      { status: 400, code: 'BAD_REQUEST' },
    ],
  ])('with %s is rejected', async (_, body, expected) => {
    expect(await send(body)).toMatchObject(expected);
    expect('polluted' in {}).toBe(false);
    expect((await send(form(oneFile('next')))).status).toBe(200);
  });

  it("is counted with Router's metrics, by the limits that it exceeds", async () => {
    const operation: Part = ['operations', JSON.stringify({ query: store, variables: { file: null } })];
    const big: Part = ['0', Buffer.alloc(3_000_001), 'big.bin'];
    const before = await uploadMetrics();
    await send(form(oneFile('12345')));
    await send(form([operation, ['map', '{"0":["variables.file"]}'], big]));
    await send(form([operation, ['map', '{"0":[],"1":[],"2":[],"3":[],"4":[]}']]));
    const after = await uploadMetrics();
    const difference = Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]);
    expect(Object.fromEntries(difference)).toEqual({
      'total size=false files=false': 1,
      'total size=true files=false': 1,
      'total size=false files=true': 1,
      file_size_sum: 5,
      file_size_count: 1,
      files_sum: 2,
      files_count: 3,
    });
  });

  it('without a boundary is rejected', async () => {
    expect(await send(form(oneFile('x')), { 'content-type': 'multipart/form-data' })).toMatchObject(
      cannotStream,
    );
  });

  it('without a header field that a page needs a preflight for is rejected, as forged', async () => {
    const response = await send(form(oneFile('x')), { 'apollo-require-preflight': '' });
    expect(response).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
    expect(response.message).toContain('cross-site request forgery');
  });

  it('with a content coding is rejected', async () => {
    expect(await send(form(oneFile('x')), { 'Content-Encoding': 'gzip' })).toMatchObject({ status: 415 });
  });

  it('cannot claim the place of a file without one', async () => {
    const query = 'mutation Test($file: Upload!) { store(file: $file) { name } }';
    const response = await gateway.post({ query, variables: { file: 'text' } });
    expect(response.body.errors?.[0]?.message).toBeDefined();
    expect(subgraphs.received).toEqual([{ subgraph: 'files', contentType: 'application/json' }]);
  });

  it.each([
    ['a field that is not there', 'nothing(file: $file)', 'GRAPHQL_VALIDATION_FAILED'],
    [
      'a cost over the limit',
      ['a', 'b', 'c'].map((name) => `${name}: storeAll(files: [$file]) { id }`).join(' '),
      'COST_ESTIMATED_TOO_EXPENSIVE',
    ],
  ])('is rejected for %s', async (_, field, code) => {
    const parts = operation(`mutation Test($file: Upload!) { ${field} }`, variables, map, file);
    expect(await send(form(parts))).toMatchObject({ code });
    expect(subgraphs.received).toEqual([]);
  });

  it('may name a persisted operation', async () => {
    const named = JSON.stringify({ documentId: 'stored', variables });
    const response = await send(form([['operations', named], mapPart, file]));
    expect(response.data).toMatchObject({ store: { name: 'a.txt' } });
  });

  it('for a deferred fragment is rejected', async () => {
    const query = `mutation Test($file: Upload!, $seal: Upload!) {
      store(file: $file) { name ... @defer { sealed(seal: $seal) } }
    }`;
    const both = { 0: ['variables.file'], 1: ['variables.seal'] };
    const body = form(operation(query, { file: null, seal: null }, both, file, ['1', 'x', 'x']));
    expect(await sendFor('multipart/mixed', body)).toContain('forbidden inside @defer');
    expect(subgraphs.received).toEqual([]);
  });

  it('beside a deferred fragment is taken', async () => {
    const query = 'mutation Test($file: Upload!) { store(file: $file) { name ... @defer { sha256 } } }';
    const text = await sendFor('multipart/mixed', form(operation(query, variables, map, file)));
    expect(text).toContain('"name":"a.txt"');
    expect(text).toContain(hashOf('x'));
  });

  it('for a subscription is rejected', async () => {
    const body = form(
      operation('subscription Test($file: Upload!) { stored(file: $file) }', variables, map, file),
    );
    const text = await sendFor('multipart/mixed;subscriptionSpec=1.0', body);
    expect(text).toContain('forbidden inside subscription');
  });
});

it('preview_file_uploads with meridian.executor: apollo stops the start: it shows no plan to check', async () => {
  const config = 'preview_file_uploads: { enabled: true }\nmeridian: { executor: apollo }';
  await expect(gateway.start({ config })).rejects.toThrow('preview_file_uploads: needs meridian.executor');
});

describe('Without preview_file_uploads', () => {
  it('a multipart request is rejected with a message that names file uploads', async () => {
    await gateway.start({
      config: 'preview_file_uploads: { enabled: true, protocols: { multipart: { enabled: false } } }',
      prepare: (directory) => subgraphs.prepare(directory),
    });
    const response = await send(form(oneFile('x')));
    expect(response).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
    expect(response.message).toContain('file uploads');
  });
});
