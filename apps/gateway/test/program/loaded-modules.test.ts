import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { beforeAll, describe, expect, it } from '@jest/globals';

import { logged, spawnGateway, stopProcess, urlsIn } from '../support/gateway-process.ts';
import { useFolder } from '../support/use-folder.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';

/** Only for its supergraph file. */
const shop = useTestGateway();
const folder = useFolder();
const listLoaded = fileURLToPath(new URL('list-loaded.ts', import.meta.url));

beforeAll(() => shop.start());

/** The packages and the rooms that a gateway with this configuration has loaded when it ends, once it listened. */
async function loadedBy(configuration: object, options: readonly string[] = []): Promise<Set<string>> {
  const path = join(folder, 'router.yaml');
  await writeFile(path, JSON.stringify(configuration));
  const child = spawnGateway(
    {
      SUPERGRAPH_PATH: shop.supergraphPath,
      ROUTER_CONFIG_PATH: path,
      NODE_OPTIONS: `--import=${listLoaded}`,
      LOADED_FOLDER: folder,
    },
    options,
  );
  await logged(
    child,
    (line) => urlsIn(line) !== undefined && (options.length === 0 || line.workers !== undefined),
  );
  await stopProcess(child);
  const urls: readonly string[] = JSON.parse(await readFile(join(folder, `${child.pid}.json`), 'utf8'));
  return new Set(urls.map(nameOf));
}

/** `undici`, `@meridian/executor`, or `mcp`, a room of the gateway. */
function nameOf(url: string): string {
  const [, room, workspace, npm = room] =
    /gateway\/src\/([^/]+)|\/packages\/[^/]+\/([^/]+)\/src\/|.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/u.exec(
      url,
    ) ?? [];
  return workspace === undefined ? (npm ?? url) : `@meridian/${workspace}`;
}

/** Packages and rooms that only some configurations ask for. */
const onDemand = [
  '@apollo/gateway',
  '@aws-sdk/credential-providers',
  '@fastify/busboy',
  '@grpc/grpc-js',
  '@meridian/composition',
  '@meridian/database',
  '@meridian/pages',
  '@modelcontextprotocol/server',
  '@opentelemetry/core',
  '@redis/client',
  'NativeModule internal/deps/undici/undici',
  'coprocessor',
  'explorer',
  'graphs',
  'graphql-ws',
  'jose',
  'mcp',
  'rate-limiter-flexible',
  'undici',
  'ws',
];

describe('A gateway', () => {
  it('loads nothing of what its configuration does not ask for', async () => {
    const loaded = await loadedBy({});
    expect(loaded).toContain('@meridian/executor');
    expect(onDemand.filter((name) => loaded.has(name))).toEqual([]);
  });

  it('loads what its configuration asks for at the start, before the first request', async () => {
    const loaded = await loadedBy({
      authentication: { router: { jwt: { jwks: [{ url: 'https://identity.example/jwks.json' }] } } },
      coprocessor: { url: 'http://127.0.0.1:1', router: { request: {} } },
      preview_file_uploads: { enabled: true, protocols: { multipart: { enabled: true } } },
      subscription: { enabled: true, mode: { passthrough: { all: { path: '/ws' } } } },
    });
    expect(onDemand.filter((name) => loaded.has(name))).toEqual([
      '@fastify/busboy',
      'coprocessor',
      'graphql-ws',
      'jose',
      'undici',
      'ws',
    ]);
  });
});

describe('The primary of several workers', () => {
  it('loads neither the executor nor graphql', async () => {
    const loaded = await loadedBy({}, ['--workers', '2']);
    expect(loaded).toContain('workers');
    expect(['@meridian/executor', 'graphql', ...onDemand].filter((name) => loaded.has(name))).toEqual([]);
  });
});
