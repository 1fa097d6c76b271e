// The example client in a real browser, Debian's chromium, over a whole stack.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDevelopmentIdentity } from '@meridian/auth/development';
import type { DevelopmentIdentity } from '@meridian/auth/development';
import type { Browser, Page, Request } from '@meridian/testing/chromium';
import { launchChromium } from '@meridian/testing/chromium';

import { screenOf } from '../e2e/screen-of.ts';
import { startStack } from '../e2e/stack-under-test.ts';
import type { StackUnderTest } from '../e2e/stack-under-test.ts';
import { appsOf, tracesOf } from '@meridian/testing';

const checkout = fileURLToPath(new URL('../../../../../', import.meta.url));

let dataRoot: string;
let stack: StackUnderTest;
let storefront: ChildProcess;
let browser: Browser;
let page: Page;
let graphRequests: Request[];
let accountsUrl: string;
let ordersUrl: string;
let identity: DevelopmentIdentity;

beforeAll(async () => {
  dataRoot = await mkdtemp(join(tmpdir(), 'meridian-storefront-'));
  stack = startStack('program', dataRoot);
  await stack.writes('Ctrl-C stops everything');
  const { urls } = screenOf(stack.output());
  const graphUrl = urls.get('gateway') ?? '';
  accountsUrl = urls.get('accounts') ?? '';
  ordersUrl = urls.get('orders')?.replace('/graphql', '') ?? '';
  const started = await startStorefront(graphUrl);
  storefront = started.process;
  browser = await launchChromium();
  page = await browser.newPage();
  graphRequests = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/graphql') {
      graphRequests.push(request);
    }
  });
  // The first token has ended: the page has to see to another.
  identity = await createDevelopmentIdentity(join(dataRoot, 'identity'));
  const ended = await identity.signToken({ ttlSeconds: -60 });
  await page.route('**/session', (route) => route.fulfill({ json: { token: ended } }), { times: 1 });
  await page.goto(started.url);
});

afterAll(async () => {
  await browser?.close();
  storefront?.kill();
  process.kill(stack.pid, 'SIGINT');
  await stack.ended;
  await rm(dataRoot, { recursive: true, force: true });
});

async function startStorefront(graphUrl: string): Promise<{ process: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['apps/storefront/src/main.ts'], {
    cwd: checkout,
    env: {
      ...process.env,
      PORT: '0',
      GRAPH_URL: graphUrl,
      ACCOUNTS_URL: accountsUrl,
      DEVELOPMENT_IDENTITY_PATH: join(dataRoot, 'identity'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { process: child, url: /http:\/\/[\d.:]+/.exec(line)?.[0] ?? '' };
}

async function statuses(): Promise<(number | undefined)[]> {
  return await Promise.all(graphRequests.map(async (request) => (await request.response())?.status()));
}

/** Resolves when the gateway has accepted a subscription. */
async function nextStream(): Promise<void> {
  await page.waitForResponse(
    (response) =>
      response.status() === 200 && response.headers()['content-type']?.startsWith('multipart/mixed') === true,
    { timeout: 120_000 },
  );
}

/** Moves an order on, as a program that knows nothing of the page. */
async function advance(orderId: string, status: string): Promise<void> {
  const url = `${ordersUrl}/orders/${orderId}`;
  const headers = { Authorization: `Bearer ${await identity.signToken()}` };
  const read = await fetch(url, { headers });
  const response = await fetch(url, {
    method: 'PATCH',
    headers: {
      ...headers,
      'Content-Type': 'application/merge-patch+json',
      'If-Match': read.headers.get('ETag') ?? '',
    },
    body: JSON.stringify({ status }),
  });
  expect(response.status).toBe(200);
}

describe('The storefront in Chromium', () => {
  it('gets another token when the gateway refuses the first, and shows the best-selling products', async () => {
    await page.locator('.cards li').first().waitFor();
    expect(await page.locator('.cards li').count()).toBe(10);
    expect(await statuses()).toEqual([401, 200]);
  });

  it('reads by GET, by the identifier, and never sends a text', () => {
    expect(graphRequests.map((request) => request.method())).toEqual(['GET', 'GET']);
    const { searchParams } = new URL(graphRequests[1]?.url() ?? '');
    expect(searchParams.has('query')).toBe(false);
    expect(JSON.parse(searchParams.get('extensions') ?? '')).toMatchObject({
      persistedQuery: { version: 1 },
    });
  });

  it('writes by POST, and shows the result', async () => {
    await page.locator('.cards a').first().click();
    const review = `Arrived in time (${Date.now()})`;
    await page.getByLabel('Your review').fill(review);
    await page.getByRole('button', { name: 'Send' }).click();
    const written = page.locator('.reviews li', { hasText: review });
    await written.waitFor();
    expect(await written.count()).toBe(1);
    const write = graphRequests.find((request) => request.method() === 'POST');
    expect(write?.postDataJSON()).not.toHaveProperty('query');
    expect(write?.postDataJSON()).toMatchObject({ operationName: 'AddReview' });
  });

  it('changes the row of an order that is cancelled, by the key of its entity', async () => {
    await page.getByRole('link', { name: 'Orders' }).click();
    const row = page.locator('tr', { has: page.getByRole('button', { name: 'Cancel' }) }).first();
    await row.waitFor();
    const rows = await page.locator('tr', { hasText: 'cancelled' }).count();
    const reads = graphRequests.filter((request) => request.method() === 'GET').length;
    await row.getByRole('button').click();
    await page.locator('tr', { hasText: 'cancelled' }).nth(rows).waitFor();
    expect(graphRequests.filter((request) => request.method() === 'GET')).toHaveLength(reads);
  });

  it('shows an order: its status, and what was bought', async () => {
    await page.locator('td a').first().click();
    await page.getByRole('heading', { name: 'Order', exact: true }).waitFor();
    await page.getByRole('status').waitFor();
    expect(await page.locator('.entries tbody tr').count()).toBeGreaterThan(0);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('shows the status of an order as it changes, also after the gateway was restarted', async () => {
    await page.getByRole('link', { name: 'Orders' }).click();
    const stream = nextStream();
    await page.locator('tr', { hasText: 'placed' }).getByRole('link').first().click();
    const orderId = decodeURIComponent(page.url().split('/').at(-1) ?? '');
    const status = page.getByRole('status');
    await status.getByText('placed').waitFor();
    await stream;
    await advance(orderId, 'paid');
    await status.getByText('paid').waitFor();

    const another = nextStream();
    process.kill(Number(appsOf(tracesOf(stack.pid)).get('gateway')?.pid), 'SIGKILL');
    await another;
    await advance(orderId, 'shipped');
    await status.getByText('shipped').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('shows what could not be loaded, with the trace id, while a subgraph does not respond', async () => {
    await page.getByRole('link', { name: 'Best-sellers' }).click();
    const third = page.locator('.cards a').nth(2);
    await third.waitFor();
    const reviews = Number(appsOf(tracesOf(stack.pid)).get('reviews')?.pid);
    process.kill(reviews, 'SIGSTOP');
    try {
      await third.click();
      const notice = page.getByRole('alert');
      await notice.waitFor();
      expect(await notice.innerText()).toMatch(/could not be loaded\. Trace [\da-f]{32}$/);
    } finally {
      process.kill(reviews, 'SIGCONT');
    }
  });

  it('does not send the text after an identifier that the gateway does not know', async () => {
    const another = await browser.newPage();
    const sent: Request[] = [];
    another.on('request', (request) => {
      if (new URL(request.url()).pathname === '/graphql') {
        sent.push(request);
      }
    });
    await another.route('**/operations.json', (route) =>
      route.fulfill({ json: { operations: [{ id: 'of-another-release', name: 'TopProducts' }] } }),
    );
    await another.goto(page.url().split('#', 1)[0] ?? '');
    await another.getByRole('alert').waitFor();
    expect(sent.map((request) => request.method())).toEqual(['GET']);
    expect(sent[0]?.url()).toContain('of-another-release');
    expect(sent[0]?.url()).not.toContain('averageRating');
  });
});
