import { nodeHttp } from '@meridian/http';
import { ifNoneMatchHeader, route } from '@meridian/rest/openapi';
import type { Route } from '@meridian/rest/openapi';
import { problemKinds } from '@meridian/problem-details';

import { pageDocument, pageResponses } from '../../problem-pages/serve-page.ts';
import { html } from '../../problem-pages/html.ts';
import { htmlPage } from '../../problem-pages/html-page.ts';
import type { Html } from '../../problem-pages/html.ts';

/** `GET /problems`. */
export function listProblemKinds(): Route {
  return route(
    {
      id: 'listProblemKinds',
      summary: 'Read about all kinds of problem',
      tag: 'Documents',
      scope: 'none',
      parameters: [ifNoneMatchHeader],
      responses: pageResponses('A page with all kinds.'),
    },
    pageDocument(indexPage()),
  );
}

/** All kinds of problem, by status. */
function indexPage(): string {
  const byStatus = Map.groupBy(Object.entries(problemKinds), ([, { status }]) => status);
  const sections = [...byStatus].toSorted(([one], [other]) => one - other).map(statusSection);
  return htmlPage({
    title: 'All kinds',
    description: 'Every kind of problem that the services of Meridian respond with.',
    root: './',
    main: html`<h1>Problems</h1>
      <p>Every kind of problem that the services of Meridian respond with, by HTTP status.</p>
      ${sections}`,
  });
}

function statusSection([status, kinds]: [number, [string, { title: string; cause: string }][]]): Html {
  const items = kinds.map(
    ([kind, { title, cause }]) =>
      html`<li>
        <a href="problems/${kind}">${title}</a>
        <p>${cause}</p>
      </li>`,
  );
  return html`<h2>${status} ${nodeHttp.STATUS_CODES[status] ?? ''}</h2>
    <ul>
      ${items}
    </ul>`;
}
