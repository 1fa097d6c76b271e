import { ifNoneMatchHeader, route } from '@meridian/rest/openapi';
import type { RouteTable, Route } from '@meridian/rest/openapi';

import { apiPage } from '../../problem-pages/api-page.ts';
import { pageDocument, pageResponses } from '../../problem-pages/serve-page.ts';

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
