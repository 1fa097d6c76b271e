import { createHash } from 'node:crypto';

import { Html } from './html.ts';

/** Inlined in each page: a problem page loads nothing. */
const stylesheet = `
:root {
  color-scheme: light dark;
  --text: #1c2024;
  --quiet: #5a6169;
  --line: #dfe3e8;
  --surface: #f6f8fa;
  --page: #fff;
  --accent: #0b57c4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #eceef0;
    --quiet: #a5adb6;
    --line: #32373d;
    --surface: #1d2125;
    --page: #14171a;
    --accent: #86b7ff;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  padding: clamp(1.25rem, 5vw, 4rem) 1.25rem;
  background: var(--page);
  color: var(--text);
  font: 1.0625rem/1.6 system-ui, sans-serif;
}
main, header, footer { max-width: 44rem; margin-inline: auto; }
header { color: var(--quiet); font-size: .9375rem; }
h1 { margin: .75rem 0 0; font-size: clamp(1.75rem, 5vw, 2.5rem); line-height: 1.15; letter-spacing: -.02em; }
h2 { margin: 2rem 0 .25rem; font-size: 1.125rem; }
p { margin: 0; }
a { color: var(--accent); text-underline-offset: .2em; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; border-radius: 3px; }
code, pre { font: .9375em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
pre { margin: .5rem 0 0; padding: 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--surface); white-space: pre-wrap; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.25rem; margin: 1.25rem 0 0; padding: 1rem 0; border-block: 1px solid var(--line); }
dt { color: var(--quiet); }
dd { margin: 0; }
h1 + p { margin-top: .75rem; color: var(--quiet); }
ul { margin: .5rem 0 0; padding: 0; border-top: 1px solid var(--line); list-style: none; }
li { padding: .75rem 0; }
footer { margin-top: 3rem; color: var(--quiet); font-size: .9375rem; }
@media (max-width: 34rem) { dl { grid-template-columns: 1fr; gap: 0; } dd + dt { margin-top: .5rem; } }
`;

/** Built here as a whole: the policy below has its hash, so no formatter may change it. */
export const styleElement = new Html(`<style>${stylesheet}</style>`);

const hash = createHash('sha256').update(stylesheet).digest('base64');

/** Allows nothing but that stylesheet: no script, no image, no frame around the page. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
