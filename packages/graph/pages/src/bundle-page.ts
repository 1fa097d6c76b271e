import { basename, dirname, extname, resolve } from 'node:path';

import type { BuildOptions, BuildResult } from 'esbuild';
import { build } from 'esbuild';

/** A file that a page consists of. */
export interface PageFile {
  readonly mediaType: string;
  readonly body: Uint8Array;
}

export interface BrowserPage {
  readonly html: string;
  /** The files that the page loads, by name: `main.js`, `main.css` and others. */
  readonly files: ReadonlyMap<string, PageFile>;
  /** The bundled modules, as absolute paths. */
  readonly modules: readonly string[];
}

export interface PageOptions {
  readonly title: string;
  /** The path that the files are served below, with a slash at its end. */
  readonly basePath: string;
  /** The path of the program, `main.tsx`: it renders into the element `#page`. */
  readonly program: string;
  /** The paths of the programs of web workers, by name without `.js`. Default: none. */
  readonly workers?: Readonly<Record<string, string>>;
  /** Packages that take the place of others, by their names. Default: none. */
  readonly alias?: Readonly<Record<string, string>>;
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.ttf': 'font/ttf',
};

/**
 * Bundles a page and the files that it loads. It takes a second or two; keep the result.
 */
export async function bundlePage({
  title,
  basePath,
  program,
  workers = {},
  alias = {},
}: PageOptions): Promise<BrowserPage> {
  const folder = dirname(program);
  const common: BuildOptions = {
    // Where packages of `alias` are looked up.
    absWorkingDir: folder,
    bundle: true,
    metafile: true,
    minify: true,
    write: false,
    // Never written: only the names of the outputs are derived from it.
    outdir: '/',
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    target: 'es2022',
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"', 'globalThis.__DEV__': 'false' },
  };
  const results = await Promise.all([
    build({
      ...common,
      entryPoints: [program],
      format: 'esm',
      splitting: true,
      jsx: 'automatic',
      alias: { ...alias },
      loader: { '.graphql': 'text', '.ttf': 'file' },
    }),
    build({ ...common, entryPoints: { ...workers }, format: 'iife' }),
  ]);
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}));
  return {
    html: writeHtml(title, basePath),
    files: new Map(results.flatMap(filesOf)),
    modules: inputs.map((path) => resolve(folder, path)),
  };
}

function writeHtml(title: string, basePath: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title} · Meridian</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${basePath}main.css">
    <script type="module" src="${basePath}main.js"></script>
  </head>
  <body>
    <div id="page"></div>
  </body>
</html>
`;
}

function filesOf({ outputFiles = [] }: BuildResult): [string, PageFile][] {
  return outputFiles.map(({ path, contents }) => [
    basename(path),
    { mediaType: mediaTypes[extname(path)] ?? 'application/octet-stream', body: contents },
  ]);
}
