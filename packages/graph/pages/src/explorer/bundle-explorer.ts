import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import type { BrowserPage } from '../bundle-page.ts';
import { bundlePage } from '../bundle-page.ts';

const workers = {
  'editor.worker': 'monaco-editor/esm/vs/editor/editor.worker.js',
  'graphql.worker': 'monaco-graphql/esm/graphql.worker.js',
  'json.worker': 'monaco-editor/esm/vs/language/json/json.worker.js',
};

/**
 * Bundles the page with GraphiQL, from the installed packages, with the files that it loads. It takes a few seconds;
 * keep the result.
 */
export function bundleExplorer(): Promise<BrowserPage> {
  return bundlePage({
    title: 'Explorer',
    basePath: '/explorer/',
    program: fileURLToPath(new URL('page/main.tsx', import.meta.url)),
    workers: workerPaths(),
  });
}

/** The workers are files of GraphiQL's own editor, so that they are the version that it was made for. */
function workerPaths(): Record<string, string> {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('@graphiql/react'));
  return Object.fromEntries(Object.entries(workers).map(([name, path]) => [name, resolve(path)]));
}
