// The ledger page in a real browser, Debian's chromium, over the accounts service.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createDevelopmentIdentity } from '@meridian/auth/development';
import type { DevelopmentIdentity } from '@meridian/auth/development';
import { createTestDatabase, eventually, startServiceProcess } from '@meridian/testing';
import type { ServiceProcess, TestDatabase } from '@meridian/testing';
import { launchChromium } from '@meridian/testing/chromium';
import type { Browser, Page } from '@meridian/testing/chromium';

const accountsApp = new URL('../../../../../apps/accounts/', import.meta.url);
const checkout = fileURLToPath(new URL('../../../../../', import.meta.url));
const key = 'a key of the tests that is as long as it has to be';

let folder: string;
let database: TestDatabase;
let identity: DevelopmentIdentity;
let accounts: ServiceProcess;
let storefront: { readonly process: ChildProcess; readonly url: string };
let browser: Browser;
let page: Page;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-ledger-'));
  identity = await createDevelopmentIdentity(folder);
  database = await createTestDatabase({
    migrations: new URL('migrations/', accountsApp),
    serviceRole: 'meridian_accounts',
  });
  accounts = await startAccounts('0');
  storefront = await startStorefront();
  browser = await launchChromium();
  await post('/accounts', { id: 'rent', balance_minor_units: 125_000 });
  await post('/accounts', { id: 'savings', balance_minor_units: 0 });
  await post('/accounts/rent/transfers', { to_account_id: 'savings', amount_minor_units: 2500 });
  await post('/accounts', { id: 'elsewhere', balance_minor_units: 7 }, 'globex');
});

afterAll(async () => {
  await browser?.close();
  storefront?.process.kill();
  await accounts?.stop();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

beforeEach(async () => {
  await page?.close();
  page = await browser.newPage({ viewport: { width: 1000, height: 800 } });
});

function startAccounts(port: string): Promise<ServiceProcess> {
  return startServiceProcess(new URL('src/main.ts', accountsApp), {
    PORT: port,
    DATABASE_URL: database.serviceUrl,
    JWKS_URL: identity.jwksUrl.href,
    JWT_ISSUER: identity.issuer,
    JWT_AUDIENCE: identity.audience,
    ETAG_KEYS: key,
    CURSOR_KEYS: key,
  });
}

async function startStorefront(): Promise<{ process: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['apps/storefront/src/main.ts'], {
    cwd: checkout,
    env: { ...process.env, PORT: '0', ACCOUNTS_URL: accounts.url, DEVELOPMENT_IDENTITY_PATH: folder },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { process: child, url: /http:\/\/[\d.:]+/.exec(line)?.[0] ?? '' };
}

async function post(path: string, body: string | object, tenant = 'acme'): Promise<void> {
  const response = await fetch(accounts.url + path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${await identity.signToken({ tenant })}`,
      'Content-Type': 'application/json',
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  expect(response.status).toBe(201);
}

/** The cells of the first rows of the table. */
async function rows(count: number): Promise<string[][]> {
  const all = await page.locator('.entries tbody tr').all();
  return await Promise.all(all.slice(0, count).map((row) => row.locator('td').allInnerTexts()));
}

const live = (): Promise<void> => page.getByRole('status').getByText('Live').waitFor();

describe('The ledger page in Chromium', () => {
  it('lists the accounts of the tenant, and opens one by the keyboard alone', async () => {
    await page.goto(`${storefront.url}/#/ledger`);
    await page.getByRole('link', { name: 'savings' }).waitFor();
    expect(await rows(9)).toEqual([
      ['savings', '€25.00'],
      ['rent', '€1,225.00'],
    ]);
    await page.getByRole('combobox', { name: 'Account' }).focus();
    await page.keyboard.type('rent');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 3, name: 'rent' }).waitFor();
    await page.getByRole('table', { name: 'Entries, newest first' }).waitFor();
    const [transfer, opening] = await rows(2);
    expect(transfer?.slice(1)).toEqual(['transfer', 'alice', '-€25.00', '€1,225.00']);
    expect(opening?.slice(1)).toEqual(['opening', 'alice', '+€1,250.00', '€1,250.00']);
  });

  it('draws the balance over time, and says it in words', async () => {
    await page.goto(`${storefront.url}/#/ledger/rent`);
    const line = page.getByRole('img', { name: /^Balance, .*: lowest €1,225\.00, highest €1,250\.00$/u });
    await line.waitFor();
    // From the top, a step down.
    expect(await line.locator('path').getAttribute('d')).toMatch(/^M0 0H[\d.]+V160H720$/u);
  });

  it('shows an entry as it happens, also after the service was away', async () => {
    await page.goto(`${storefront.url}/#/ledger/savings`);
    await live();
    await post('/accounts/rent/transfers', { to_account_id: 'savings', amount_minor_units: 100 });
    await page.getByText('€26.00').first().waitFor();
    expect((await rows(1))[0]?.slice(3)).toEqual(['+€1.00', '€26.00']);

    const { port } = new URL(accounts.url);
    await accounts.stop();
    await page.getByRole('status').getByText('Connecting').waitFor();
    accounts = await startAccounts(port);
    await post('/accounts/rent/transfers', { to_account_id: 'savings', amount_minor_units: 100 });
    await page.getByText('€27.00').first().waitFor();
    await live();
  });

  it('goes on with another token when the first one ends', async () => {
    const token = await identity.signToken({ ttlSeconds: 2 });
    await page.route('**/session', (route) => route.fulfill({ json: { token } }), { times: 1 });
    let tokens = 0;
    page.on('response', (response) => (tokens += response.url().endsWith('/session') ? 1 : 0));
    await page.goto(`${storefront.url}/#/ledger/rent`);
    await live();
    await eventually(() => expect(tokens).toBe(2));
    await post('/accounts/savings/transfers', { to_account_id: 'rent', amount_minor_units: 7 });
    await page.getByText('+€0.07').waitFor();
    expect((await rows(1))[0]?.[3]).toBe('+€0.07');
  });

  it('keeps all digits of an amount', async () => {
    await post('/accounts', '{"id": "large", "balance_minor_units": -9223372036854775807}');
    await page.goto(`${storefront.url}/#/ledger/large`);
    await page.getByText('-€92,233,720,368,547,758.07').first().waitFor();
    expect((await rows(1))[0]?.slice(3)).toEqual([
      '-€92,233,720,368,547,758.07',
      '-€92,233,720,368,547,758.07',
    ]);
  });

  it('loads older entries page by page', async () => {
    await post('/accounts', { id: 'busy', balance_minor_units: 100 });
    for (let count = 0; count < 55; count += 1) {
      await post('/accounts/busy/transfers', { to_account_id: 'savings', amount_minor_units: 1 });
    }
    await page.goto(`${storefront.url}/#/ledger/busy`);
    await page.getByRole('button', { name: 'Older entries' }).click();
    await eventually(async () => expect(await page.locator('.entries tbody tr').count()).toBe(56));
    expect(await page.getByRole('button', { name: 'Older entries' }).count()).toBe(0);
    expect((await rows(56)).at(-1)?.[1]).toBe('opening');
  });

  it('says that there is no such account, as of an account of another tenant', async () => {
    await page.goto(`${storefront.url}/#/ledger/elsewhere`);
    await page.getByRole('alert').getByText('There is no such account.').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
  });

  it.each(['light', 'dark'] as const)('has readable colours in %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await page.goto(`${storefront.url}/#/ledger/rent`);
    await live();
    const contrasts: number[] = await page.evaluate(contrastsOfTexts);
    expect(contrasts.length).toBeGreaterThan(15);
    // WCAG 2.2, 1.4.3.
    expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5);
  });

  it('fits a narrow screen', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${storefront.url}/#/ledger/rent`);
    await live();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });
});

/** In the page: the contrast of each text with its background (WCAG 2.2, "contrast ratio"). */
const contrastsOfTexts = `(() => {
  const channels = (color) => color.match(/[\\d.]+/g).map(Number);
  const luminance = (color) => {
    const [r, g, b] = channels(color).map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const background = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const color = getComputedStyle(one).backgroundColor;
      if (channels(color)[3] !== 0) return color;
    }
    return 'rgb(255, 255, 255)';
  };
  return [...document.querySelectorAll('body *')]
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== ''))
    .filter((element) => element.checkVisibility())
    .map((element) => {
      const [one, other] = [getComputedStyle(element).color, background(element)].map(luminance);
      return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    });
})()`;
