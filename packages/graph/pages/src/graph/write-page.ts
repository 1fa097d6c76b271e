import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { bundlePage } from '../bundle-page.ts';

import type { GraphData } from './graph-data.ts';

/**
 * Writes the page as one HTML file. It loads nothing: a content security policy allows its own script and style, by
 * their hashes, and no request. The data is packed: a large graph's is a tenth of the JSON.
 */
export async function writePage(data: GraphData): Promise<string> {
  const { files } = await bundlePage({
    title: 'Graph',
    basePath: '',
    program: fileURLToPath(new URL('page/main.tsx', import.meta.url)),
    // Preact does React's work in a tenth of the bytes: each copy of this file carries them.
    alias: { react: 'preact/compat', 'react-dom': 'preact/compat' },
  });
  const textOf = (name: string): string => Buffer.from(files.get(name)?.body ?? []).toString();
  const script = textOf('main.js');
  const style = textOf('main.css');
  const policy = `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; img-src data:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Graph</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<noscript>This page needs JavaScript, and no network.</noscript>
<script type="application/gzip" id="data">${gzipSync(JSON.stringify(data)).toString('base64')}</script>
<script type="module">${script}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
