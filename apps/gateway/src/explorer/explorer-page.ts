import type { HttpResponse } from '@meridian/http';

// Only this origin's content, and nothing inline except styles, which GraphiQL's editor generates.
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "worker-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Explorer · Meridian</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/explorer/main.css">
    <script type="module" src="/explorer/main.js"></script>
  </head>
  <body>
    <div id="explorer"></div>
  </body>
</html>
`;

/** The page that loads GraphiQL. */
export const explorerPage: HttpResponse = {
  status: 200,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': contentSecurityPolicy,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  },
  body: html,
};
