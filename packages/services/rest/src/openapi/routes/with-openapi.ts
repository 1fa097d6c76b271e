import { publicDocument } from '@meridian/http';
import { writeJson } from '@meridian/json';

import { openApiDocument } from '../document/openapi-document.ts';
import type { ApiDescription } from '../document/openapi-document.ts';
import { ifNoneMatchHeader } from '../operation/conditional-headers.ts';
import type { Operation } from '../operation/operation.ts';
import { publicDocumentResponses } from '../operation/resource-descriptions.ts';
import { route } from './route-table.ts';
import type { RouteTable } from './route-table.ts';

const documentSchema = {
  type: 'object',
  required: ['openapi'],
  properties: { openapi: { type: 'string', pattern: '^3\\.1\\.' } },
};

/** @param tag the group of this operation in the document */
function getOpenApiOperation(tag: string): Operation {
  return {
    id: 'getOpenApi',
    summary: 'Read this document',
    tag,
    scope: 'none',
    parameters: [ifNoneMatchHeader],
    responses: publicDocumentResponses('The OpenAPI 3.1 document of the service.', {
      'application/json': { jsonSchema: () => documentSchema },
    }),
  };
}

/** The routes, and `GET /openapi.json`, which documents them and itself. The document is made here, once. */
export function withOpenApi(
  routes: RouteTable,
  api: ApiDescription & { readonly documentsTag: string },
): RouteTable {
  const operation = getOpenApiOperation(api.documentsTag);
  const text = writeJson(openApiDocument(api, { ...routes, '/openapi.json': { GET: { operation } } }));
  return {
    ...routes,
    '/openapi.json': { GET: route(operation, publicDocument({ mediaType: 'application/json', text })) },
  };
}
