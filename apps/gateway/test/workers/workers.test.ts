import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { childrenOf } from '@meridian/processes';
import { mergeMetrics } from '@meridian/telemetry';

import { readConfig } from '../../src/config/gateway-config.ts';
import type { GatewayProcess } from '../support/gateway-process.ts';
import { logged, spawnGateway, urlsIn } from '../support/gateway-process.ts';
import { samplesOf } from '../support/samples.ts';
import { respondJson } from '../support/stub-subgraph.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { useFolder } from '../support/use-folder.ts';

const secret = 'the-secret-of-these-tests';

/** Only for its subgraphs and its supergraph file. */
const shop = useTestGateway();
const directory = useFolder();

beforeAll(async () => {
  await shop.start();
  await writeFile(join(directory, 'router.yaml'), 'supergraph: { path: /graphql }');
});

function start(options: readonly string[], env: Readonly<Record<string, string>> = {}): GatewayProcess {
  const paths = {
    SUPERGRAPH_PATH: shop.supergraphPath,
    ROUTER_CONFIG_PATH: join(directory, 'router.yaml'),
  };
  return spawnGateway({ ...paths, ...env }, options);
}

interface Workers {
  readonly url: string;
  readonly adminUrl: string;
  readonly count: number;
  /** Of workers that have started so far. */
  readonly pids: readonly number[];
}

/** Where the workers listen together, from the log. */
async function listening(child: GatewayProcess): Promise<Workers> {
  const entry = await logged(child, (line) => line.workers !== undefined && urlsIn(line) !== undefined);
  return { ...urlsIn(entry)!, count: entry.workers!, pids: entry.pids ?? [] };
}

/** The URL of the shared port, once the first worker listens. */
async function sharedUrl(child: GatewayProcess): Promise<string> {
  const { address } = await logged(child, (line) => line.address !== undefined);
  return `http://127.0.0.1:${address!.port}/graphql`;
}

async function ask(url: string): Promise<unknown> {
  return await (await post(url)).json();
}

async function post(url: string): Promise<Response> {
  return await fetch(url, {
    method: 'POST',
    // Each on a connection of its own, so that the workers have them in turn.
    headers: { 'Content-Type': 'application/json', Connection: 'close' },
    body: JSON.stringify({ query: 'query A { time }' }),
  });
}

describe('The gateway with several workers', () => {
  // Each start is three processes, so that these tests share one.
  let child: GatewayProcess;
  let workers: Workers;
  let configPath: string;
  beforeAll(async () => {
    configPath = join(directory, 'explained.yaml');
    await writeFile(configPath, JSON.stringify({ meridian: { explain: { enabled: true, secret } } }));
    child = start(['--workers', '2'], { ROUTER_CONFIG_PATH: configPath });
    workers = await listening(child);
  });
  afterAll(() => void child.kill('SIGKILL'));

  it('answers on one port, and its admin listener covers all of them', async () => {
    const { url, adminUrl, count } = workers;
    expect(count).toBe(2);
    expect(await Promise.all(Array.from({ length: 8 }, () => ask(url)))).toEqual(
      Array.from({ length: 8 }, () => ({ data: { time: 'now' } })),
    );
    expect(await statusOf(`${adminUrl}/livez`)).toBe(200);
    expect(await statusOf(`${adminUrl}/readyz`)).toBe(200);
    expect(await statusOf(`${adminUrl}/nothing`)).toBe(404);
    for (const target of ['/./metrics', '/x/../metrics', '//', '//127.0.0.1/metrics', '/%2e/metrics']) {
      expect(await statusOfTarget(adminUrl, target)).toBe(404);
    }
    expect(await (await fetch(`${adminUrl}/health`)).json()).toEqual({ status: 'UP' });
    const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
    for (const worker of ['1', '2']) {
      expect(metrics).toMatch(
        new RegExp(`^http_server_request_duration_seconds_count\\{worker="${worker}",.*\\} \\d+$`, 'm'),
      );
    }
  });

  it('explains a request of any worker, as text or JSON', async () => {
    const { url, adminUrl } = workers;
    // Connections go to the workers in turn: each of them has had one.
    for (const requestNumber of [1, 2]) {
      const response = await post(url);
      const traceId = response.headers.get('apollo-trace-id') ?? '';
      const explanation = await fetch(`${adminUrl}/explain?id=${traceId}`, {
        headers: { Authorization: `Bearer ${secret}`, Accept: 'application/json' },
      });
      expect({ requestNumber, body: await explanation.json() }).toEqual({
        requestNumber,
        body: [expect.objectContaining({ traceId })],
      });
    }
    const unknown = await fetch(`${adminUrl}/explain?id=none`, {
      headers: { Authorization: `Bearer ${secret}` },
    });
    expect(unknown.status).toBe(404);
    expect((await fetch(`${adminUrl}/explain?id=none`)).status).toBe(401);
  });

  it('replaces a worker that exits, and stays ready meanwhile', async () => {
    const { url, adminUrl, pids } = workers;
    const [victim = 0] = pids;
    expect(victim).toBeGreaterThan(0);
    process.kill(victim, 'SIGKILL');
    await untilListening(adminUrl, 1);
    expect(await statusOf(`${adminUrl}/readyz`)).toBe(200);
    expect(await ask(url)).toEqual({ data: { time: 'now' } });
    await untilListening(adminUrl, 2);
    expect(await ask(url)).toEqual({ data: { time: 'now' } });
  });

  it.each([
    ['is bad', 'nonsense: true'],
    ['has become empty, which would lift every limit', ''],
  ])('retries a replacement while a configuration file %s', async (_how, bad) => {
    const { url, adminUrl } = workers;
    const good = await readFile(configPath, 'utf8');
    await writeFile(configPath, bad);
    process.kill(childrenOf(Number(child.pid)).at(-1) ?? 0, 'SIGKILL');
    await logged(child, ({ msg }) => msg === 'a worker did not start; retrying');
    expect(await statusOf(`${adminUrl}/readyz`)).toBe(200);
    await writeFile(configPath, good);
    await untilListening(adminUrl, 2);
    expect(await ask(url)).toEqual({ data: { time: 'now' } });
  });

  it('finishes the requests under way on SIGTERM, and exits 0', async () => {
    const { url, adminUrl } = workers;
    const received = Promise.withResolvers<() => void>();
    shop.products.misbehave((response) =>
      received.resolve(() => respondJson(response, { data: { time: 'later' } })),
    );
    const httpResponse = ask(url);
    const finish = await received.promise;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    finish();
    expect(await httpResponse).toEqual({ data: { time: 'later' } });
    expect(await exited).toEqual([0, null]);
    await expect(fetch(`${adminUrl}/livez`)).rejects.toThrow('fetch failed');
    shop.products.reset();
  });
});

describe('A worker that hangs', () => {
  it('is ended and replaced, so that no client waits for it, and does not delay a stop', async () => {
    const child = start(['--workers', '2'], { SHUTDOWN_GRACE_MS: '1000', WORKER_TIMEOUT_MS: '4000' });
    const { url, adminUrl, pids } = await listening(child);
    const [first = 0] = pids;
    process.kill(first, 'SIGSTOP');
    const responses = [ask(url), ask(url), ask(url)];
    // Each worker gets a connection; this one does not take its own, and gets no other.
    await Promise.any(responses);
    const outcomes = await Promise.allSettled(responses);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'fulfilled', 'rejected']);

    await untilListening(adminUrl, 2);
    const [, second = 0] = pids;
    process.kill(second, 'SIGSTOP');
    const [output, exited] = [text(child.stdout), once(child, 'exit')];
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
    // It ends with the last process that writes to it.
    expect(await output).toContain('a worker did not stop in time; ending it');
  });
});

describe('A start with several workers', () => {
  it('finishes the requests under way when it is stopped before all of them listen', async () => {
    const received = Promise.withResolvers<() => void>();
    shop.products.misbehave((response) =>
      received.resolve(() => respondJson(response, { data: { time: 'later' } })),
    );
    const child = start(['--workers', '2']);
    const response = ask(await sharedUrl(child));
    const finish = await received.promise;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    finish();
    expect(await response).toEqual({ data: { time: 'later' } });
    expect(await exited).toEqual([0, null]);
    shop.products.reset();
  });

  it('exits 0 when it is stopped, and ends the workers that had begun to start', async () => {
    const child = start(['--workers', '2']);
    // The workers write to it as well: it ends with the last of them.
    const [outputEnd, ending] = [text(child.stdout), once(child, 'exit')];
    while (childrenOf(Number(child.pid)).length === 0) {
      await delay(5);
    }
    child.kill('SIGTERM');
    expect(await ending).toEqual([0, null]);
    await outputEnd;
  });
});

describe('A failed start with several workers', () => {
  it.each([
    ['an impossible number of workers', ['--workers', 'many'], 2, /^--workers is "many"/],
    ['an unknown argument', ['--threads', '2'], 2, /^Unknown option '--threads'/],
    ['a missing supergraph', ['--workers', '2'], 1, /^Cannot load the supergraph/],
  ])(
    'reports %s in one line',
    async (_what, options, exitCode, line) => {
      const child = start(options, line.source.includes('supergraph') ? { SUPERGRAPH_PATH: '/nowhere' } : {});
      const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
      expect(stderr).toMatch(line);
      expect([code, stderr.trimEnd().split('\n').length]).toEqual([exitCode, 1]);
    },
    30_000,
  );
});

describe('A worker that is killed before it listens', () => {
  it('ends the start with a line that names the signal', async () => {
    const child = start(['--workers', '2']);
    const [stderr, exited] = [text(child.stderr), once(child, 'exit')];
    while (childrenOf(Number(child.pid)).length === 0) {
      await delay(5);
    }
    process.kill(childrenOf(Number(child.pid))[0] ?? 0, 'SIGKILL');
    expect(await exited).toEqual([1, null]);
    expect(await stderr).toBe('A worker ended before it listened, by SIGKILL\n');
  });
});

describe('The limits of a worker', () => {
  const configOf = (env: Readonly<Record<string, string>>) =>
    readConfig({ ROUTER_CONFIG_PATH: join(directory, 'limits.yaml'), ...env });

  beforeAll(() =>
    writeFile(
      join(directory, 'limits.yaml'),
      `traffic_shaping: { router: { global_rate_limit: { capacity: 2000, interval: 1s }, concurrency_limit: 100 } }
meridian: { throttle: { unit: cost } }`,
    ),
  );

  it('are its share of limits that each process counts by itself', () => {
    const { throttle, cost, load } = configOf({ WEB_CONCURRENCY: '4' });
    expect([throttle.global?.capacity, cost.throttleCapacity, load.maxInFlight]).toEqual([500, 500, 25]);
  });

  it('are the whole limits when Redis counts', () => {
    const { throttle, cost } = configOf({ WEB_CONCURRENCY: '4', REDIS_URL: 'redis://127.0.0.1:1' });
    const alone = configOf({ REDIS_URL: 'redis://127.0.0.1:1' });
    expect([throttle.global?.capacity, cost.throttleCapacity]).toEqual([2000, 2000]);
    expect(throttle.fallbackFraction).toBe(alone.throttle.fallbackFraction / 4);
  });
});

describe('Merged metrics', () => {
  it('have one help and type for each name, and a worker label on each sample', () => {
    const text =
      '# HELP a What a is.\n# TYPE a counter\na{x="1"} 2\na 3\n\n# HELP b B.\n# TYPE b gauge\nb 1\n';
    expect(
      mergeMetrics([
        { worker: '1', text },
        { worker: '2', text: text.replace('} 2', '} 7') },
      ]),
    ).toBe(
      [
        '# HELP a What a is.',
        '# TYPE a counter',
        'a{worker="1",x="1"} 2',
        'a{worker="1"} 3',
        'a{worker="2",x="1"} 7',
        'a{worker="2"} 3',
        '',
        '# HELP b B.',
        '# TYPE b gauge',
        'b{worker="1"} 1',
        'b{worker="2"} 1',
        '',
      ].join('\n'),
    );
  });
});

async function statusOf(url: string): Promise<number> {
  const response = await fetch(url);
  await response.text();
  return response.status;
}

/** Sends the target as it is: `fetch` would resolve it. */
async function statusOfTarget(url: string, target: string): Promise<number | undefined> {
  const [response] = (await once(request(url, { path: target }).end(), 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

/** Waits until so many of the two workers listen. */
async function untilListening(adminUrl: string, count: number): Promise<void> {
  for (;;) {
    const metrics = await (await fetch(`${adminUrl}/metrics`)).text();
    expect(samplesOf(metrics, 'meridian_workers_configured')).toMatchObject([{ value: 2 }]);
    if (samplesOf(metrics, 'meridian_workers_listening')[0]?.value === count) {
      return;
    }
    await delay(20);
  }
}
