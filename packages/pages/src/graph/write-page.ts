import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import { bundlePage } from '../bundle-page.ts';

import type { GraphData } from './graph-data.ts';

/**
 * Writes the page as one HTML file. It loads nothing: a content security policy allows its own script and style, by
 * their hashes, and no request.
 */
export async function writePage(data: GraphData): Promise<string> {
  const { files } = await bundlePage({
    title: 'Graph',
    basePath: '',
    program: fileURLToPath(new URL('page/main.ts', import.meta.url)),
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
<script type="application/json" id="data">${jsonInHtml(data)}</script>
<script type="module">${script}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

/** JSON that cannot end the element that it is in, whatever a description says. */
function jsonInHtml(data: GraphData): string {
  return JSON.stringify(data).replaceAll('<', String.raw`\u003c`);
}
