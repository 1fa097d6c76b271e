// The explorer in a real browser: Debian's chromium.
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestIdentity } from '@meridian/testing';
import type { Page } from '@meridian/testing/chromium';
import { launchChromium } from '@meridian/testing/chromium';

import { respondJson } from '../support/stub-subgraph.ts';
import { startTestGateway } from '../support/test-gateway.ts';
import { useInSuite } from '../support/use-in-suite.ts';
import { startStreamingShop } from '../streams/streaming-shop.ts';

const shopWindow = `query ShopWindow($first: Int! = 3) {
  topProducts(first: $first) {
    id
    name
    price
    reviews(first: 2) {
      body
    }
  }
}`;

const identity = useInSuite(createTestIdentity);
const gateway = useInSuite(() =>
  startTestGateway({
    config: `
      sandbox: { enabled: true }
      supergraph: { introspection: true }
      authentication: { router: { jwt: { jwks: [{ url: '${identity.jwksUrl.href}', issuers: ['${identity.issuer}'] }] } } }
      authorization: { require_authentication: true }
      persisted_queries: { enabled: true, local_manifests: ['\${env.MANIFEST_PATH}'] }
      demand_control: { enabled: true, mode: enforce, strategy: { static_estimated: { list_size: 10, max: 2000 } } }
    `,
    env: {
      NODE_ENV: 'development',
      DEVELOPMENT_IDENTITY_PATH: dirname(fileURLToPath(identity.jwksUrl)),
    },
    manifest: {
      'shop-window': shopWindow,
      rename:
        'mutation Rename($id: ID!, $name: String!) {\n  rename(id: $id, name: $name) {\n    id\n    name\n  }\n}',
    },
  }),
);
const browser = useInSuite(launchChromium);
let page: Page;
const requested: string[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  page.on('request', (request) => requested.push(request.url()));
  page.on('console', (message) => {
    if (message.type() === 'error') {
      complaints.push(message.text().slice(0, 200));
    }
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(new URL('/explorer', gateway.url).href);
});

describe('The explorer in Chromium', () => {
  it('lists the operations of the manifest', async () => {
    const list = page.getByRole('region', { name: 'Operations of the manifest' });
    await list.getByRole('button', { name: 'ShopWindow' }).waitFor();
    expect(await list.getByRole('button').allInnerTexts()).toEqual([
      expect.stringMatching(/mutation\s*Rename/),
      expect.stringMatching(/query\s*ShopWindow/),
    ]);
  });

  it('fills in a token', async () => {
    await page.getByRole('button', { name: 'Headers' }).click();
    // The token is a span of the editor's own.
    const token = page
      .locator('.graphiql-editor-tool')
      .getByText(/Bearer\sey/)
      .last();
    await token.waitFor();
    expect(await token.isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Variables' }).click();
  });

  it('shows the cost and the plan of a chosen operation before it runs', async () => {
    gateway.products.reset();
    await page.getByRole('button', { name: 'ShopWindow' }).click();
    const explanation = page.getByRole('region', { name: 'Cost and plan' });
    const second = explanation.getByRole('list', { name: 'Plan' }).locator('.fetch').nth(1);
    await second.waitFor();
    expect(await second.innerText()).toMatch(/^2 reviews\s+after 1\s+topProducts by Product/);
    const text = await explanation.innerText();
    expect(text).toMatch(/Cost\s+9\s+of 2000/);
    expect(text).toContain('2 fetches in 2 rounds');
    expect(gateway.products.received.filter(({ body }) => body.query.includes('topProducts'))).toEqual([]);
  });

  it('runs the operation by its identifier, and shows the data', async () => {
    const sent = page.waitForRequest(
      (request) => request.url().endsWith('/graphql') && (request.postData() ?? '').includes('shop-window'),
    );
    await page.getByRole('button', { name: /Execute/ }).click();
    expect((await sent).postDataJSON()).not.toHaveProperty('query');
    await page.locator('.graphiql-response').getByText('"Product 1"').waitFor();
  });

  it('shows the run: its status, time, size and trace id, and the time of each fetch in the plan', async () => {
    const explanation = page.getByRole('region', { name: 'Cost and plan' });
    const plan = explanation.getByRole('list', { name: 'Plan' });
    await plan.getByText(/^[\d.]+ ms$/).waitFor();
    await plan.getByText(/^after 1 · [\d.]+ ms · 3 entities$/).waitFor();
    expect(await explanation.locator('.explorer-run summary').innerText()).toMatch(
      /200\s+[\d.,]+ ms\s+\d+ B\s+[\da-f]{32}/,
    );
  });

  it.each([1280, 1440])('shows the whole plan of two rounds in a window %d pixels wide', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    const plan = page.getByRole('list', { name: 'Plan' });
    await plan.waitFor();
    const { x = 0, y = 0, width: across = 0, height = 0 } = (await plan.boundingBox()) ?? {};
    expect(x + across).toBeLessThanOrEqual(width);
    expect(y + height).toBeLessThanOrEqual(800);
  });

  it('fits a narrow screen: nothing is wider, and nothing covers the button that runs the operation', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.locator('html').evaluate(({ scrollWidth }) => scrollWidth)).toBe(390);
    // Playwright fails where another element receives the click.
    await page.getByRole('button', { name: /Execute/ }).click({ trial: true });
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('says why a typed operation would be a request error', async () => {
    await page.getByRole('button', { name: 'New tab' }).click();
    await page.locator('.graphiql-query-editor .view-lines').click();
    await page.keyboard.insertText('query Wrong { nothing }');
    await page.getByText('GRAPHQL_VALIDATION_FAILED').waitFor();
    expect(await page.getByRole('region', { name: 'Cost and plan' }).innerText()).toContain('nothing');
  });

  it('shows the parts of an operation with @defer as they come', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    gateway.reviews.misbehave(async (response) => {
      await held;
      respondJson(response, { data: { _entities: [{ rating: 4.5 }] } });
    });
    await page.getByRole('button', { name: 'New tab' }).click();
    await page.locator('.graphiql-query-editor .view-lines').click();
    await page.keyboard.insertText('query Late { product(id: "7") { name ... @defer { rating } } }');
    // GraphiQL reads the operation's name a moment after the last key.
    await page.locator('.graphiql-tab').getByText('Late').waitFor();
    await page.getByRole('button', { name: /Execute/ }).click();
    const response = page.locator('.graphiql-response');
    await response.getByText('"Product 7"').waitFor();
    expect(await response.innerText()).not.toContain('4.5');
    letGo();
    await response.getByText('4.5').waitFor();
    gateway.reviews.reset();
    const rows = page.getByRole('region', { name: 'Time line' }).getByRole('listitem');
    await rows.nth(1).waitFor();
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringMatching(/^first result\s+[\d.,]+ ms$/),
      expect.stringMatching(/^product\.rating\s+[\d.,]+ ms$/),
    ]);
  });

  it('sends requests only to the gateway, within its content security policy', () => {
    const hosts = new Set(
      requested.filter((url) => !url.startsWith('data:')).map((url) => new URL(url).host),
    );
    expect([...hosts]).toEqual([new URL(gateway.url).host]);
    expect(complaints).toEqual([]);
  });
});

describe('The explorer of a graph with subscriptions', () => {
  const shop = useInSuite(() =>
    startStreamingShop({
      config: `
      sandbox: { enabled: true }
      supergraph: { introspection: true }
      `,
      env: { NODE_ENV: 'development' },
    }),
  );
  beforeAll(async () => {
    page = await browser.newPage();
    await page.goto(new URL('/explorer', shop.gateway.url).href);
  });
  afterAll(() => page.close());

  it('draws the events of a subscription on a time line as they come', async () => {
    await page.locator('.graphiql-query-editor .view-lines').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText('subscription Prices { priceChanged(id: "p1") { price } }');
    await page.locator('.graphiql-tab').getByText('Prices').waitFor();
    await page.getByRole('button', { name: /Execute/ }).click();
    await shop.subscribers(1);
    const timeLine = page.getByRole('region', { name: 'Time line' });
    for (const price of [1, 2, 3]) {
      shop.feed.push('p1', price);
      await timeLine.getByText(`event ${price}`).waitFor();
      await page.locator('.graphiql-response').getByText(`"price": ${price}`).waitFor();
    }
    expect(await timeLine.getByRole('heading').innerText()).toMatch(/3 parts in [\d.,]+ ms/);
    const [first = 0, second = 0, third = 0, ...others] = await timeLine
      .locator('.explorer-track div')
      .evaluateAll((found) => found.map((dot) => dot.getBoundingClientRect().right));
    expect(others).toEqual([]);
    expect(first).toBeGreaterThan(0);
    expect(second).toBeGreaterThan(first);
    expect(third).toBeGreaterThan(second);
  });

  it('shows the facts of the latest run, even if an earlier one ends after it has begun', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
    await page.route(
      '**/explorer/run?*',
      async (route) => {
        await held;
        await route.continue();
      },
      { times: 1 },
    );
    const ended = page.waitForRequest('**/explorer/run?*');
    await page.getByRole('button', { name: /Stop/ }).click();
    await shop.subscribers(0);
    const factsOfFirst = await ended;
    await page.getByRole('button', { name: /Execute/ }).click();
    await shop.subscribers(1);
    await page.getByRole('button', { name: /Stop/ }).click();
    await shop.subscribers(0);
    const facts = page.locator('.explorer-run summary');
    await facts.waitFor();
    const factsOfSecond = await facts.innerText();

    letGo();
    await (await factsOfFirst.response())?.finished();
    // The page has drawn what came before this response.
    await page.evaluate(
      `fetch('/explorer/session').then(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))`,
    );
    expect(await facts.innerText()).toBe(factsOfSecond);
  });
});
