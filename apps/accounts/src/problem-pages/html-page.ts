import { html } from './html.ts';
import type { Html } from './html.ts';
import { styleElement } from './stylesheet.ts';

export interface PageParts {
  readonly title: string;
  readonly description: string;
  /** The way to the folder that `openapi.json` is in; links are relative, so that a proxy may put the service anywhere. */
  readonly root: './' | '../';
  readonly main: Html;
}

/** A whole HTML page, which needs nothing beside itself. */
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
            operation answers is in the <a href="${root}openapi.json">OpenAPI document</a>.
          </p>
        </footer>
      </body>
    </html> `.text;
}
