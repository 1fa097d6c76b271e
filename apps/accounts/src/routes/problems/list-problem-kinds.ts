import type { RequestListener } from 'node:http';

import { ifNoneMatchHeader } from '@meridian/rest/openapi';
import type { Operation } from '@meridian/rest/openapi';

import { indexPage } from '../../problem-pages/index-page.ts';
import { pageDocument, pageResponses } from '../../problem-pages/serve-page.ts';

export const listProblemKindsOperation: Operation = {
  id: 'listProblemKinds',
  summary: 'Read about all kinds of problem',
  tag: 'Documents',
  scope: 'none',
  parameters: [ifNoneMatchHeader],
  responses: pageResponses('A page with all kinds.'),
};

/** `GET /problems`. */
export function listProblemKinds(): RequestListener {
  return pageDocument(indexPage());
}
