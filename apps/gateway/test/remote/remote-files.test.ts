import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';

import type { FileStore } from '../support/file-store.ts';
import { startFileStore } from '../support/file-store.ts';
import type { TestGateway, TestGatewayOptions } from '../support/test-gateway.ts';
import { manifestOf, persisted, startTestGateway } from '../support/test-gateway.ts';

describe('A supergraph at a URL', () => {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((each) => each.close())));

  const open = async (
    options: TestGatewayOptions = {},
  ): Promise<{ store: FileStore; gateway: TestGateway; remotePath: string }> => {
    const store = await startFileStore();
    let remotePath = '';
    const gateway = await startTestGateway({
      ...options,
      async prepare(directory) {
        remotePath = join(directory, 'remote');
        store.files.set('/supergraph.graphql', await readFile(join(directory, 'supergraph.graphql'), 'utf8'));
        return {
          SUPERGRAPH_PATH: `${store.url}/supergraph.graphql`,
          REMOTE_FILES_PATH: remotePath,
          REMOTE_FILES_EVERY_MS: '20',
          REMOTE_FILES_TOKEN: 'a-token',
        };
      },
    });
    opened.push(gateway, store);
    return { store, gateway, remotePath };
  };

  it('is served, and fetched again only when its entity tag has changed', async () => {
    const { store, gateway } = await open();
    expect((await gateway.post({ query: 'query A { time }' })).status).toBe(200);
    await eventually(() => expect(store.requests.filter(({ status }) => status === 304)).not.toEqual([]));
    expect(store.requests.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(store.requests[0]?.headers.authorization).toBe('Bearer a-token');
  });

  it('is taken up when it changes', async () => {
    const { store, gateway } = await open();
    const sdl = store.files.get('/supergraph.graphql') ?? '';
    store.files.set('/supergraph.graphql', `# another\n${sdl}`);
    await eventually(() => expect(messages(gateway)).toContain('supergraph reloaded'));
  });

  it('stays as it was while the URL has one that cannot be run, which the log says once', async () => {
    const { store, gateway } = await open();
    const good = store.files.get('/supergraph.graphql') ?? '';
    store.files.set('/supergraph.graphql', 'type Query {');
    await eventually(() =>
      expect(messages(gateway)).toContain('remote file rejected; keeping the last good one'),
    );
    const looks = store.requests.length;
    await eventually(() => expect(store.requests.length).toBeGreaterThan(looks + 2));
    expect(messages(gateway).filter((message) => message.startsWith('remote file rejected'))).toHaveLength(1);
    expect((await gateway.post({ query: 'query A { time }' })).status).toBe(200);

    store.files.set('/supergraph.graphql', good);
    await eventually(() => expect(messages(gateway)).toContain('remote file fetched again'));
  });

  it('is started with the last good copy while the URL is out of reach', async () => {
    const { store, gateway: first, remotePath } = await open();
    const url = `${store.url}/supergraph.graphql`;
    store.respond = (_request, response) => {
      response.writeHead(503).end();
      return true;
    };
    const gateway = await startTestGateway({
      env: { SUPERGRAPH_PATH: url, REMOTE_FILES_PATH: remotePath },
    });
    opened.push(gateway);
    expect(messages(gateway)).toContain('remote file out of reach; starting with its last good copy');
    expect((await gateway.post({ query: 'query A { time }' })).body).toEqual({ data: { time: 'now' } });
    expect(messages(first)).not.toContain('supergraph reloaded');
  });

  it.each([
    ['that does not respond', 'http://127.0.0.1:1/supergraph.graphql', /ECONNREFUSED|bad port/],
    ['of another machine without TLS', 'http://example.com/supergraph.graphql', /only https/],
    ['with credentials', 'https://u:a-secret@127.0.0.1:1/graph', /^(?!.*a-secret).*REMOTE_FILES_TOKEN/],
    ['with a registry that does not respond', 'oci://127.0.0.1:9/graph:latest', /ECONNREFUSED|bad port/],
  ])('%s is one line at the start', async (_what, url, reason) => {
    await expect(startTestGateway({ env: { SUPERGRAPH_PATH: url } })).rejects.toMatchObject({
      name: 'RemoteFileError',
      message: expect.stringMatching(reason),
    });
  });

  it('whose copy cannot be written is one line at the start', async () => {
    const { store, gateway } = await open();
    const env = {
      SUPERGRAPH_PATH: `${store.url}/supergraph.graphql`,
      REMOTE_FILES_PATH: join(gateway.configPath, 'below-a-file'),
    };
    await expect(startTestGateway({ env })).rejects.toMatchObject({
      name: 'RemoteFileError',
      message: expect.stringContaining('ENOTDIR'),
    });
  });

  it('can have a manifest at a URL beside it', async () => {
    const manifests = await startFileStore({ '/web.json': manifestOf({ one: 'query One { time }' }) });
    opened.push(manifests);
    const { gateway } = await open({
      config: `persisted_queries: { enabled: true, hot_reload: true, local_manifests: ["${manifests.url}/web.json"] }`,
    });
    expect((await gateway.post(persisted('one'))).status).toBe(200);
    manifests.files.set('/web.json', manifestOf({ one: 'query One { time }', two: 'query Two { time }' }));
    await eventually(async () => expect((await gateway.post(persisted('two'))).status).toBe(200));
  });
});

function messages(gateway: TestGateway): string[] {
  return gateway.log.map(({ msg }) => String(msg));
}
