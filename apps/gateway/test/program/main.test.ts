import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '@meridian/processes';

import type { GatewayProcess } from '../support/gateway-process.ts';
import { logged, spawnGateway, stopProcess, urlsIn } from '../support/gateway-process.ts';
import { respondJson } from '../support/stub-subgraph.ts';
import { manifestOf } from '../support/test-gateway.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { unrunnableSupergraphs } from '../support/unrunnable-supergraphs.ts';
import { useFolder } from '../support/use-folder.ts';

/** Only for its subgraphs and its supergraph file. */
const shop = useTestGateway();
const directory = useFolder();

beforeAll(async () => {
  await shop.start();
  await writeFile(join(directory, 'router.yaml'), 'supergraph: { path: /graphql }');
  await writeSlowStart();
});

function start(env: Readonly<Record<string, string>> = {}): GatewayProcess {
  const paths = {
    SUPERGRAPH_PATH: shop.supergraphPath,
    ROUTER_CONFIG_PATH: join(directory, 'router.yaml'),
  };
  return spawnGateway({ ...paths, ...env });
}

/** A configuration with so much to plan at the start that there is time to see it. */
async function writeSlowStart(): Promise<void> {
  const manifest = join(directory, 'manifest.json');
  const operations = Array.from({ length: 500 }, (_, n) => [`${n}`, `query Op${n} { time${n}: time }`]);
  await writeFile(manifest, manifestOf(Object.fromEntries(operations)));
  const queries = {
    enabled: true,
    local_manifests: [manifest],
    experimental_prewarm_query_plan_cache: { on_startup: true },
  };
  await writeFile(join(directory, 'slow.yaml'), JSON.stringify({ persisted_queries: queries }));
}

/** Where it listens, from its own log. */
async function listening(child: GatewayProcess): Promise<{ url: string; adminUrl: string }> {
  return urlsIn(await logged(child, (line) => urlsIn(line) !== undefined))!;
}

function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ query: 'query A { time }' }),
  });
}

describe('The gateway alone', () => {
  let child: ReturnType<typeof start>;
  let url: string;
  let adminUrl: string;
  beforeAll(async () => {
    child = start();
    ({ url, adminUrl } = await listening(child));
  });
  afterAll(() => void child.kill('SIGKILL'));

  it('needs only a supergraph, a configuration and ports, and answers anonymous callers', async () => {
    expect(await (await ask(url)).json()).toEqual({ data: { time: 'now' } });
    expect(await (await fetch(`${adminUrl}/health`)).json()).toEqual({ status: 'UP' });
    expect((await fetch(`${adminUrl}/readyz`)).status).toBe(200);
    expect((await fetch(`${adminUrl}/livez`)).status).toBe(200);
    expect(await (await fetch(`${adminUrl}/metrics`)).text()).toContain(
      'http_server_request_duration_seconds',
    );
  });

  it('accepts 40 KiB of header fields, and answers 431 to 100 KiB as a GraphQL request error', async () => {
    expect((await ask(url, { authorization: `Bearer ${'x'.repeat(40_000)}` })).status).toBe(200);
    const requestError = await ask(url, { authorization: `Bearer ${'x'.repeat(100_000)}` });
    expect(requestError.status).toBe(431);
    const traceId = requestError.headers.get('apollo-trace-id');
    expect(await requestError.json()).toMatchObject({
      errors: [{ extensions: { code: 'HEADERS_TOO_LARGE', traceId } }],
    });
  });

  it('answers 414 to a path of more than 4096 characters as a GraphQL request error', async () => {
    const requestError = await fetch(new URL(`/${'a'.repeat(4096)}`, url));
    expect(requestError.status).toBe(414);
    expect(await requestError.json()).toEqual({
      errors: [
        {
          message: 'The path is over 4096 characters.',
          extensions: { code: 'PATH_TOO_LONG', traceId: requestError.headers.get('apollo-trace-id') },
        },
      ],
    });
  });

  it('finishes the requests under way on SIGTERM, and exits 0', async () => {
    const received = Promise.withResolvers<() => void>();
    shop.products.misbehave((response) =>
      received.resolve(() => respondJson(response, { data: { time: 'later' } })),
    );
    const httpResponse = ask(url);
    const finish = await received.promise;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    finish();
    expect(await (await httpResponse).json()).toEqual({ data: { time: 'later' } });
    expect(await exited).toEqual([0, null]);
    await expect(fetch(`${adminUrl}/livez`)).rejects.toThrow('fetch failed');
    shop.products.reset();
  });
});

describe('A gateway with a configuration of its own', () => {
  it('is not ready after too many responses with 504, while it goes on to serve', async () => {
    await writeFile(
      join(directory, 'readiness.yaml'),
      `
supergraph: { path: /graphql }
traffic_shaping: { router: { timeout: 100ms } }
health_check: { readiness: { allowed: 1, interval: { sampling: 10m } } }`,
    );
    const child = start({ ROUTER_CONFIG_PATH: join(directory, 'readiness.yaml') });
    try {
      const { url, adminUrl } = await listening(child);
      const statusOf = async (path: string): Promise<number> => (await fetch(`${adminUrl}${path}`)).status;
      shop.products.misbehave(() => {});
      expect((await ask(url)).status).toBe(504);
      expect([await statusOf('/readyz'), await statusOf('/health?ready')]).toEqual([200, 200]);
      expect((await ask(url)).status).toBe(504);
      expect([await statusOf('/readyz'), await statusOf('/health?READY')]).toEqual([503, 503]);
      expect([await statusOf('/livez'), await statusOf('/health'), await statusOf('/health?live')]).toEqual([
        200, 200, 200,
      ]);
      shop.products.reset();
      expect((await ask(url)).status).toBe(200);
    } finally {
      shop.products.reset();
      child.kill('SIGKILL');
    }
  });

  it('serves the health check, and nothing else of the admin listener, where router.yaml puts it on one address', async () => {
    const path = join(directory, 'one-address.yaml');
    await writeFile(
      path,
      'supergraph: { listen: 127.0.0.1:4000, path: /graphql }\nhealth_check: { listen: 127.0.0.1:4000 }',
    );
    const child = start({ ROUTER_CONFIG_PATH: path });
    const { url, adminUrl } = await listening(child);
    const health = await fetch(new URL('/health', url));
    expect([health.status, await health.json()]).toEqual([200, { status: 'UP' }]);
    expect((await ask(url)).status).toBe(200);
    for (const admin of ['/readyz', '/livez', '/metrics', '/explain']) {
      expect((await fetch(new URL(admin, url))).status).toBe(404);
    }
    expect((await fetch(`${adminUrl}/readyz`)).status).toBe(200);
    await stopProcess(child);
  });

  it('answers probes while it starts: alive, and not ready yet', async () => {
    const ADMIN_PORT = String(await findFreePort());
    const child = start({ ADMIN_PORT, ROUTER_CONFIG_PATH: join(directory, 'slow.yaml') });
    const running = listening(child);
    const readiness = await firstResponse(`http://127.0.0.1:${ADMIN_PORT}/readyz`);
    expect([readiness.status, await readiness.json()]).toEqual([
      503,
      { errors: [expect.objectContaining({ message: 'The service is starting.' })] },
    ]);
    const { adminUrl } = await running;
    expect((await fetch(`${adminUrl}/readyz`)).status).toBe(200);
    await stopProcess(child);
  });

  it('exits 0 without output on SIGTERM while it starts', async () => {
    const ADMIN_PORT = String(await findFreePort());
    const child = start({ ADMIN_PORT, ROUTER_CONFIG_PATH: join(directory, 'slow.yaml') });
    const [stderr, ending] = [text(child.stderr), once(child, 'exit')];
    expect((await firstResponse(`http://127.0.0.1:${ADMIN_PORT}/readyz`)).status).toBe(503);
    child.kill('SIGTERM');
    expect(await ending).toEqual([0, null]);
    expect(await stderr).toBe('');
  });
});

describe('A start that fails', () => {
  it.each([
    [
      'without a supergraph',
      { SUPERGRAPH_PATH: '/nowhere.graphql' },
      /^Cannot load the supergraph: \/nowhere\.graphql is not there/,
    ],
    [
      'without a configuration',
      { ROUTER_CONFIG_PATH: '/nowhere.yaml' },
      /^\/nowhere\.yaml: the file is not there/,
    ],
    ['with a bad environment', { PORT: 'eighty' }, /^PORT holds "eighty"/],
  ])('exits 1 and says why in one line: %s', async (_case, env, line) => {
    const child = start(env);
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(stderr).toMatch(line);
    expect([code, stderr.trimEnd().split('\n').length]).toEqual([1, 1]);
  });

  it.each(Object.entries(unrunnableSupergraphs))(
    'exits 1 and says why in one line over a supergraph with %s',
    async (_case, { sdl, line }) => {
      const path = join(directory, 'unrunnable.graphql');
      await writeFile(path, sdl);
      const child = start({ SUPERGRAPH_PATH: path });
      const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
      expect(stderr).toMatch(line);
      expect([code, stderr.trimEnd().split('\n').length]).toEqual([1, 1]);
    },
  );

  it.each([
    [
      '127.0.0.1',
      'the port is in use by another process. PORT, ADMIN_PORT and telemetry.exporters.metrics.prometheus.listen choose others',
    ],
    ['192.0.2.1', 'this machine has no such address. HOST and ADMIN_HOST choose others'],
  ])('says why it cannot listen on %s, and what to change', async (host, reason) => {
    const { port } = new URL(shop.url);
    const child = start({ HOST: host, PORT: port });
    const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect([stderr, code]).toEqual([`Cannot listen on ${host}:${port}: ${reason}\n`, 1]);
  });
});

/** The first answer that there is. */
async function firstResponse(url: string): Promise<Response> {
  for (;;) {
    try {
      return await fetch(url);
    } catch {
      await delay(5);
    }
  }
}
