import { readFile } from 'node:fs/promises';

import type { BrowserPage } from '../bundle-page.ts';

/** `page.json`: the page without the content of its files. */
export interface StoredPage {
  readonly html: string;
  /** File → media type. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Reads the page that was bundled with a published program, from the folder `explorer` beside this module. Takes the
 * place of
 * `bundleExplorer` there, where GraphiQL and esbuild are not installed.
 */
export async function bundleExplorer(): Promise<Pick<BrowserPage, 'html' | 'files'>> {
  const folder = new URL('./explorer/', import.meta.url);
  const { html, files }: StoredPage = JSON.parse(await readFile(new URL('page.json', folder), 'utf8'));
  const read = async ([name, mediaType]: [string, string]) =>
    [name, { mediaType, body: await readFile(new URL(name, folder)) }] as const;
  return { html, files: new Map(await Promise.all(Object.entries(files).map(read))) };
}
