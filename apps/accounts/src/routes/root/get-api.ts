import type { RequestListener } from 'node:http';

import { ifNoneMatchHeader } from '@meridian/rest/openapi';
import type { Operation, RouteTable } from '@meridian/rest/openapi';

import { apiPage } from '../../problem-pages/api-page.ts';
import { pageDocument, pageResponses } from '../../problem-pages/serve-page.ts';

export const getApiOperation: Operation = {
  id: 'getApi',
  summary: 'Read about the API',
  tag: 'Documents',
  scope: 'none',
  parameters: [ifNoneMatchHeader],
  responses: pageResponses('A page with every operation.'),
};

/** `GET /`. */
export function getApi(routes: RouteTable): RequestListener {
  return pageDocument(apiPage(routes));
}
