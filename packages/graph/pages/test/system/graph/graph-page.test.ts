// The page of `pnpm graph` in a real browser, Debian's chromium, from a file.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from '@meridian/testing/chromium';
import { launchChromium } from '@meridian/testing/chromium';

import { writePage } from '../../../src/graph/write-page.ts';
import { largeGraph } from '../../graph/support/large-graph.ts';

const markup = '<img src=x onerror="document.title=1"><b>bold</b>';

let folder: string;
let address: string;
let browser: Browser;
let page: Page;
const complaints: string[] = [];
const requested: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'graph-page-'));
  const path = join(folder, 'graph.html');
  await writeFile(path, await writePage(largeGraph(2000, 1000, markup)));
  address = pathToFileURL(path).href;
  browser = await launchChromium();
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.on('request', (request) => requested.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(address);
});
afterAll(async () => {
  await browser?.close();
  await rm(folder, { recursive: true, force: true });
});

const focused = (): Promise<string> => page.evaluate('document.activeElement.textContent');

describe('The page of pnpm graph in Chromium', () => {
  it('has landmarks, a heading and a way past the list', async () => {
    await page.getByRole('main').getByRole('heading', { level: 1, name: 'The graph' }).waitFor();
    for (const landmark of ['banner', 'navigation', 'search', 'contentinfo'] as const) {
      expect(await page.getByRole(landmark).count()).toBe(1);
    }
    expect(await page.getByRole('link', { name: 'Skip to the content' }).count()).toBe(1);
  });

  it('is searched and read by the keyboard alone', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('type12.field');
    await page.getByRole('status').getByText('10 entries').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toContain('Type12.field1');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Type12.field0' }).waitFor();
    // The focus goes along, for the screen reader.
    expect(await focused()).toBe('Type12.field0');
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement.id')).toBe('search');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
  });

  it('shows who owns a field, its clients over time, and its operations', async () => {
    const main = page.getByRole('main');
    expect(await main.innerText()).toMatch(/Owner\s+@team\/12/u);
    expect(await main.innerText()).toContain('apps/subgraph12/schema.graphql:3');
    await main.getByRole('img', { name: /^Requests by day, from 2026-01-01 to 2026-01-30/u }).waitFor();
    await main.getByRole('link', { name: 'Operation13' }).click();
    await main.getByRole('heading', { level: 1, name: 'Operation13' }).waitFor();
  });

  it('shows the plan of an operation: its rounds, what each fetch waits for, and lines between', async () => {
    const plan = page.getByRole('main').getByRole('list', { name: 'Plan' });
    await plan.waitFor();
    expect(await plan.locator('> li').count()).toBe(4);
    const fetches = plan.locator('.fetch');
    expect(await fetches.count()).toBe(8);
    expect(await fetches.nth(0).innerText()).toMatch(/^1 subgraph0\s+query\s+id, name$/u);
    expect(await fetches.nth(1).innerText()).toMatch(/^2 subgraph1\s+after 1\s/u);
    expect(await page.locator('.plan path').count()).toBe(7);
    const colours = await fetches.evaluateAll((all) =>
      all.map((one) => getComputedStyle(one).borderLeftColor),
    );
    expect(new Set(colours).size).toBe(8);
  });

  it('goes back and forth as any page', async () => {
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Type12.field0' }).waitFor();
    await page.goForward();
    await page.getByRole('heading', { level: 1, name: 'Operation13' }).waitFor();
    expect(await page.title()).toBe('Operation13 · Graph');
  });

  it('shows descriptions as text, whatever they are', async () => {
    await page.goto(`${address}#field/Type0/field0`);
    const main = page.getByRole('main');
    await main.getByText(markup, { exact: true }).waitFor();
    await main.getByText(`Deprecated ${markup}`, { exact: true }).waitFor();
    await page.goto(`${address}#type/Type0`);
    await main.getByText(markup, { exact: true }).waitFor();
    expect(await page.locator('img, main b').count()).toBe(0);
  });

  it('says of an unknown address that there is nothing', async () => {
    await page.goto(`${address}#type/%E0%A4%A`);
    const text = page.getByText('The graph has nothing of this name.');
    await text.waitFor();
    expect(await text.isVisible()).toBe(true);
  });

  it('lists a bounded part of 23 000 elements, and says how many there are', async () => {
    const search = page.getByRole('searchbox');
    await search.fill('field');
    await page
      .getByRole('status')
      .getByText(/^300 of \d+\D000;/u)
      .waitFor();
    expect(await page.getByRole('navigation').getByRole('link').count()).toBe(300);
    await search.fill('type1999.field9');
    await page.getByRole('status').getByText('1 entry', { exact: true }).waitFor();
  });

  it('prints the content without the list, on white', async () => {
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.getByRole('navigation').isVisible()).toBe(false);
    expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(
      'rgb(255, 255, 255)',
    );
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    expect(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor')).toBe(
      'rgb(21, 24, 28)',
    );
  });

  it('fits a narrow screen', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${address}#operation/key13`);
    await page.getByRole('heading', { level: 1, name: 'Operation13' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });

  it('requests nothing but itself, and complains of nothing', () => {
    expect([...new Set(requested.map((url) => url.split('#', 1)[0]))]).toEqual([address]);
    expect(complaints).toEqual([]);
  });
});
