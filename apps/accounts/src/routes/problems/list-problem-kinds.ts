import { ifNoneMatchHeader, route } from '@meridian/rest/openapi';
import type { Route } from '@meridian/rest/openapi';

import { indexPage } from '../../problem-pages/index-page.ts';
import { pageDocument, pageResponses } from '../../problem-pages/serve-page.ts';

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
