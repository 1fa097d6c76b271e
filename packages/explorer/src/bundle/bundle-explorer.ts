import { createRequire } from 'node:module';
import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { BuildOptions, BuildResult } from 'esbuild';
import { build } from 'esbuild';

/** A file that the page consists of. */
export interface ExplorerFile {
  readonly mediaType: string;
  readonly body: Uint8Array;
}

/** The entry points of the page: the program with its style, and one for each of its web workers. */
const pageEntry = fileURLToPath(new URL('../page/main.tsx', import.meta.url));
const workers = {
  'editor.worker': 'monaco-editor/esm/vs/editor/editor.worker.js',
  'graphql.worker': 'monaco-graphql/esm/graphql.worker.js',
  'json.worker': 'monaco-editor/esm/vs/language/json/json.worker.js',
};

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.ttf': 'font/ttf',
};

/**
 * Bundles GraphiQL, from the installed packages, into files by name: `main.js`, `main.css` and the files that
 * these load. It takes a few seconds; keep the result.
 */
export async function bundleExplorer(): Promise<ReadonlyMap<string, ExplorerFile>> {
  const common: BuildOptions = {
    bundle: true,
    minify: true,
    write: false,
    // Only names are read off the paths of files that are never written.
    outdir: '/',
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    target: 'es2022',
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
  };
  const results = await Promise.all([
    build({
      ...common,
      entryPoints: [pageEntry],
      format: 'esm',
      splitting: true,
      jsx: 'automatic',
      loader: { '.ttf': 'file' },
    }),
    build({ ...common, entryPoints: workerPaths(), format: 'iife' }),
  ]);
  return new Map(results.flatMap(filesOf));
}

/** The workers are files of GraphiQL's own editor, so that they are the version that it was made for. */
function workerPaths(): Record<string, string> {
  const { resolve } = createRequire(createRequire(import.meta.url).resolve('@graphiql/react'));
  return Object.fromEntries(Object.entries(workers).map(([name, path]) => [name, resolve(path)]));
}

function filesOf({ outputFiles = [] }: BuildResult): [string, ExplorerFile][] {
  return outputFiles.map(({ path, contents }) => [
    basename(path),
    { mediaType: mediaTypes[extname(path)] ?? 'application/octet-stream', body: contents },
  ]);
}
