import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { BrowserPage } from '../src/index.ts';
import { bundlePage } from '../src/index.ts';

let directory: string;
let page: BrowserPage;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'meridian-page-'));
  const files = {
    'main.tsx': `import './main.css'; import query from './query.graphql';
      document.title = query; console.log(process.env.NODE_ENV);`,
    'main.css': 'body { margin: 0; }',
    'query.graphql': '{ time }',
    'worker.ts': 'self.onmessage = () => {};',
  };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(directory, name), text);
  }
  page = await bundlePage({
    title: 'Clock',
    basePath: '/clock/',
    program: join(directory, 'main.tsx'),
    workers: { 'time.worker': join(directory, 'worker.ts') },
  });
});
afterAll(() => rm(directory, { recursive: true }));

describe('A bundled page', () => {
  it('loads its program and its style from below its path, and nothing else', () => {
    expect(page.html).toContain('<title>Clock · Meridian</title>');
    const urls = Array.from(page.html.matchAll(/(?:src|href)="([^"]*)"/g), ([, url]) => url);
    expect(urls).toEqual(['data:,', '/clock/main.css', '/clock/main.js']);
  });

  it('has a file for its program, its style and each worker', () => {
    expect(Array.from(page.files, ([name, file]) => `${name} ${file.mediaType}`)).toEqual([
      'main.js text/javascript; charset=utf-8',
      'main.css text/css; charset=utf-8',
      'time.worker.js text/javascript; charset=utf-8',
    ]);
  });

  it('holds the texts of its operations, for production', () => {
    const program = Buffer.from(page.files.get('main.js')?.body ?? []).toString();
    expect(program).toContain('{ time }');
    expect(program).toContain('"production"');
  });
});
