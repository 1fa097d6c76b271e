import { html } from './html.ts';
import type { Html } from './html.ts';
import { styleElement } from './stylesheet.ts';

export interface PageParts {
  readonly title: string;
  readonly description: string;
  /**
   * The relative path to the folder of `openapi.json`. Links are relative, so a proxy may serve the pages under any
   * path.
   */
  readonly root: './' | '../';
  readonly main: Html;
}

/** Writes a complete HTML page, which loads nothing. */
export function htmlPage({ title, description, root, main }: PageParts): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Meridian problems</title>
        <meta name="description" content="${description}" />
        ${styleElement}
      </head>
      <body>
        <header><a href="${root}problems">Meridian problems</a></header>
        <main>${main}</main>
        <footer>
          <p>
            Programs tell problems apart by <code>type</code>, never by <code>detail</code>. What each
            operation returns is in the <a href="${root}openapi.json">OpenAPI document</a>.
          </p>
        </footer>
      </body>
    </html> `.text;
}
