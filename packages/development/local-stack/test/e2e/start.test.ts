import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { startPostgres } from '@meridian/postgres';
import { isRunning } from '@meridian/processes';
import { appsOf, eventually, processesIn, remainsOf, runScript, tracesOf } from '@meridian/testing';

import { readServices } from '../../src/apps/services.ts';
import { runHttpApiPage } from './http-api-page.ts';
import { paste } from './paste.ts';
import { screenOf } from './screen-of.ts';
import type { ScreenUnderTest } from './screen-of.ts';
import { printToken, startStack } from './stack-under-test.ts';
import type { StackUnderTest } from './stack-under-test.ts';

const services = readServices();

const lastLineOfScreen = 'Ctrl-C stops everything';

// One folder for all, so that the demo data is inserted once.
let dataRoot: string;

beforeAll(async () => {
  dataRoot = await mkdtemp(join(tmpdir(), 'meridian-start-'));
});

afterAll(async () => {
  await rm(dataRoot, { recursive: true, force: true });
});

interface Rating {
  readonly name: string;
  readonly averageRating: number | null;
}

describe('npx pnpm start, the first time,', () => {
  let stack: StackUnderTest;
  let screen: ScreenUnderTest;
  let token: string;

  beforeAll(async () => {
    stack = startStack('readme', dataRoot);
    await stack.writes(lastLineOfScreen);
    screen = screenOf(stack.output());
    token = await printToken(dataRoot);
  });

  it('shows its progress, then each service with its URL', () => {
    expect(stack.output()).toMatch(/^accounts +migration 0001-accounts\.sql$/mu);
    expect(stack.output()).toMatch(/^reviews +demo data, 1000 of \d+ rows$/mu);
    expect(stack.output()).toMatch(/^gateway +ready$/mu);
    expect([...screen.urls.keys()]).toEqual([...services.map(({ name }) => name), 'postgresql']);
  });

  it('fits into 80 columns, except the token', () => {
    const wide = screen.lines.filter((line) => line.length > 80);
    expect(wide).toEqual([expect.stringMatching(/^ {2}export TOKEN=[\w.-]+$/u)]);
  });

  it('prints commands that work when they are pasted', async () => {
    const { code, output } = await paste(screen.tryIt);
    expect(output.match(/HTTP\/1\.1 \d+/gu)).toEqual([
      'HTTP/1.1 201',
      'HTTP/1.1 304',
      'HTTP/1.1 200',
      'HTTP/1.1 200',
      'HTTP/1.1 200',
    ]);
    expect(output.match(/\{"data":\{"topProducts":\[\{"id":/gu)).toHaveLength(2);
    expect(output).not.toContain('"errors"');
    expect(output).toContain('Cache-Control: max-age=');
    expect(code).toBe(0);
  });

  it('answers the commands of docs/http-api.md as the page says, and its client', async () => {
    const { setUp, commands, client } = await runHttpApiPage({
      accounts: screen.urls.get('accounts') ?? '',
      orders: screen.urls.get('orders')?.replace('/graphql', '') ?? '',
      graph: screen.urls.get('gateway') ?? '',
      token,
    });
    expect(setUp).toMatch(
      /^ACCOUNTS=http:\/\/127\.0\.0\.1:4001\nORDERS=http:\/\/127\.0\.0\.1:4004\nTOKEN=\$\(npx .* run token\)\n$/u,
    );
    const statuses = {
      create: '201, 201, 201',
      read: '200, 304, 200',
      write: '200, 412, 200 after 1 attempt',
      transfer: '201, 422, 201',
      holds: '200, 201, 409, 200',
      ledger: '200, 200',
      events: '200, 200, 200, 200, 200',
      webhooks: '200, 200, 200, 201, 201, 204',
      pages: '200, 200, 200, 200',
      orders: '200, 200, 201, 200',
      versions: '200, 200',
      problem: '404',
    };
    expect(commands.output.match(/(?<=HTTP\/1\.1 )\d+|\d+ after \d+ attempt/gu)?.join(', ')).toBe(
      Object.values(statuses).join(', '),
    );
    expect(commands.output.match(/^Idempotent-Replayed: true/gmu)).toHaveLength(1);
    expect(client).toMatchObject({
      code: 0,
      output: expect.stringContaining("minor_units: '9007199254741493'"),
    });
  });

  it('lets pnpm run token print a token that the services accept', async () => {
    const response = await fetch(`${screen.urls.get('accounts')}/accounts`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
  });

  it("lets pnpm graph usage find the gateway's usage database", async () => {
    const usage = () =>
      runScript(
        new URL('../../../../../tools/commands/graph.ts', import.meta.url),
        { PATH: process.env['PATH'] ?? '' },
        ['usage', '--data', dataRoot],
      );
    // It writes every ten seconds.
    await eventually(async () =>
      expect((await usage()).stdout).toMatch(/^Query\.topProducts {2}\d+ requests?$/mu),
    );
  });

  it('is the only stack on its data: a second start says so in one line', async () => {
    const second = startStack('program', dataRoot);
    await expect(second.ended).resolves.toBe(1);
    expect(await second.allOutput()).toMatch(
      /^The stack is running already, as process \d+\. Stop it .*: kill \d+\n$/u,
    );
  });

  it('keeps everything else running when a subgraph is killed, and restarts it', async () => {
    const apps = appsOf(tracesOf(stack.pid));
    process.kill(Number(apps.get('reviews')?.pid), 'SIGKILL');
    await stack.writes('reviews was killed by SIGKILL; starting it again in 0.5 s');
    await expect(rating()).resolves.toMatchObject({ name: expect.any(String) });

    await stack.writes('reviews is ready again');
    await expect(rating()).resolves.toEqual({ name: expect.any(String), averageRating: expect.any(Number) });
    const others = [...apps].filter(([, app]) => isRunning(app)).map(([name]) => name);
    const untouched = services.map(({ name }) => name).filter((name) => name !== 'reviews');
    expect(others).toEqual(expect.arrayContaining(untouched));
  });

  it('restarts PostgreSQL when it is killed, at the same address', async () => {
    const server = tracesOf(stack.pid).processes.find(({ commandLine }) => commandLine.includes(' -D '));
    process.kill(Number(server?.pid), 'SIGKILL');
    await stack.writes('postgresql ended; starting it again in 0.5 s');
    await stack.writes('postgresql is ready again');
    await eventually(async () => expect(await rating()).toMatchObject({ averageRating: expect.any(Number) }));
  });

  it('stops when npx was ended, which does not forward the signal, and leaves nothing', async () => {
    const traces = tracesOf(stack.pid);
    // Two of each service, and PostgreSQL's.
    expect(traces.ports).toHaveLength(2 * services.length + 1);
    process.kill(stack.pid, 'SIGTERM');
    await expect(stack.ended).resolves.toBe('SIGTERM');
    await eventually(() => expect(remainsOf(traces)).toEqual([]));
    expect(processesIn(dataRoot)).toEqual([]);
  });

  /** The gateway's data of the best-seller: its name is from products, its rating from reviews. */
  async function rating(): Promise<Rating | undefined> {
    const response = await fetch(`${screen.urls.get('gateway')}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'query Rating { topProducts(first: 1) { name averageRating } }' }),
    });
    const httpResponse = (await response.json()) as { data: { topProducts: Rating[] } | null };
    return httpResponse.data?.topProducts[0];
  }
});

describe('pnpm start, later,', () => {
  it('repeats nothing that was done, and ends everything when it is killed', async () => {
    const stack = startStack('program', dataRoot);
    await stack.writes(lastLineOfScreen);
    expect(stack.output()).not.toMatch(/migration|demo data|data directory/u);
    const traces = tracesOf(stack.pid);
    process.kill(stack.pid, 'SIGKILL');
    await eventually(() => expect(remainsOf(traces)).toEqual([]));
    expect(processesIn(dataRoot)).toEqual([]);
  });

  it('names a service that dies at once, and the cause, in one line, and leaves nothing', async () => {
    const stack = startStack('program', dataRoot, { env: { REQUEST_DEADLINE_MS: 'soon' } });
    await stack.writes('starting');
    const traces = tracesOf(stack.pid);
    await expect(stack.ended).resolves.toBe(1);
    const lines = (await stack.allOutput()).trimEnd().split('\n');
    expect(lines.filter((line) => line.includes('REQUEST_DEADLINE_MS'))).toEqual([
      expect.stringMatching(
        /^\w+ ended with exit code 1: REQUEST_DEADLINE_MS holds "soon"; .* Its log is \S+\.log$/u,
      ),
    ]);
    expect(lines.at(-1)).toContain('REQUEST_DEADLINE_MS');
    expect(remainsOf(traces)).toEqual([]);
    expect(processesIn(dataRoot)).toEqual([]);
  });
});

describe('pnpm start --fresh with DATABASE_URL', () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  let first: StackUnderTest;
  let second: StackUnderTest;

  beforeAll(async () => {
    server = await startPostgres({
      dataDirectory: await mkdtemp(join(tmpdir(), 'meridian-server-')),
      port: 0,
      isThrowaway: true,
      settings: { fsync: 'off' },
    });
    // After one that was killed.
    first = startStack('program', dataRoot);
    await first.writes(lastLineOfScreen);
    second = startStack('program', dataRoot, {
      flags: ['--free-ports', '--fresh'],
      env: { DATABASE_URL: server.url },
    });
    await second.writes(lastLineOfScreen);
  });

  afterAll(async () => {
    await server.stop();
  });

  it('stops the running stack, removes its data, and says so', async () => {
    await expect(first.ended).resolves.toBe(0);
    expect(second.output().split('\n').slice(0, 2)).toEqual([
      `Stopping the stack that runs as process ${first.pid}`,
      `Removed everything in ${dataRoot}`,
    ]);
  });

  it('creates its databases on that server, and starts none of its own', () => {
    expect(second.output()).toMatch(/^accounts +migration 0001-accounts\.sql$/mu);
    expect(screenOf(second.output()).urls.get('postgresql')).toBe(new URL(server.url).host);
    expect(
      tracesOf(second.pid).processes.filter(({ commandLine }) => commandLine.includes('postgres')),
    ).toEqual([]);
  });

  it('lets pnpm graph usage find its database while DATABASE_URL still names the server', async () => {
    const { code, stdout, stderr } = await runScript(
      new URL('../../../../../tools/commands/graph.ts', import.meta.url),
      { PATH: process.env['PATH'] ?? '', DATABASE_URL: server.url },
      ['usage', '--data', dataRoot],
    );
    // On the server's own database it would fail for lack of the tables.
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^(?:No usage is recorded|Query\.)/u);
  });

  it('ends at once on a signal more than a second after the first, and leaves nothing', async () => {
    const traces = tracesOf(second.pid);
    // A process that does not stop by itself, so that it has to be ended.
    process.kill(Number(appsOf(traces).get('users')?.pid), 'SIGSTOP');
    process.kill(second.pid, 'SIGINT');
    await second.writes('Stopping\n');
    await delay(1100);
    process.kill(second.pid, 'SIGINT');
    await expect(second.ended).resolves.toBe(1);
    expect(remainsOf(traces)).toEqual([]);
  });
});
