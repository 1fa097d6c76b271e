import { ifNoneMatchHeader, route } from '@meridian/rest/openapi';
import type { RouteTable, Route } from '@meridian/rest/openapi';

import { pageDocument, pageResponses } from '../../problem-pages/serve-page.ts';
import { html } from '../../problem-pages/html.ts';
import { htmlPage } from '../../problem-pages/html-page.ts';
import type { Html } from '../../problem-pages/html.ts';

/** `GET /`. */
export function getApi(routes: RouteTable): Route {
  return route(
    {
      id: 'getApi',
      summary: 'Read about the API',
      tag: 'Documents',
      scope: 'none',
      parameters: [ifNoneMatchHeader],
      responses: pageResponses('A page with every operation.'),
    },
    pageDocument(apiPage(routes)),
  );
}

/** The page at the root: every operation in a line, and where the details are. */
function apiPage(routes: RouteTable): string {
  const items = Object.entries(routes).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operation }]) => item(method, path, operation)),
  );
  return htmlPage({
    title: 'The API',
    description: 'The operations of the accounts service.',
    root: './',
    main: html`<h1>Accounts</h1>
      <p>
        Every operation, with the scope that its token needs. Parameters, bodies and responses are in the
        <a href="openapi.json">OpenAPI document</a>, errors among the <a href="problems">problems</a>.
      </p>
      <ul>
        ${items}
      </ul>`,
  });
}

function item(
  method: string,
  path: string,
  { summary, scope }: { readonly summary: string; readonly scope: string },
): Html {
  return html`<li>
    <code>${method} ${path}</code>
    <p>${summary}${scope === 'none' ? '' : html` (<code>${scope}</code>)`}</p>
  </li>`;
}
