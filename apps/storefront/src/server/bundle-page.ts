import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

/** A file that the page consists of. */
export interface PageFile {
  readonly mediaType: string;
  readonly body: Uint8Array;
}

const entry = fileURLToPath(new URL('../page/main.tsx', import.meta.url));

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/** Bundles the page into `main.js` and `main.css`. */
export async function bundlePage(): Promise<ReadonlyMap<string, PageFile>> {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    outdir: '/',
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    loader: { '.graphql': 'text' },
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"', 'globalThis.__DEV__': 'false' },
  });
  return new Map(
    outputFiles.map(({ path, contents }) => [
      basename(path),
      { mediaType: mediaTypes[extname(path)] ?? 'application/octet-stream', body: contents },
    ]),
  );
}
