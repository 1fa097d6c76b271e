import type { RequestListener } from 'node:http';

import { ifNoneMatchHeader, route } from '@meridian/rest/openapi';
import type { Route } from '@meridian/rest/openapi';
import { problem, problemKinds } from '@meridian/problem-details';
import type { ProblemKind } from '@meridian/problem-details';

import { kindPage } from '../../problem-pages/kind-page.ts';
import { pageDocument, pageResponses } from '../../problem-pages/serve-page.ts';

const kinds = Object.keys(problemKinds).filter(isProblemKind);

/** `GET /problems/:kind`: one page for each kind, written once. */
export function getProblemKind(problemBaseUrl: string): Route {
  const pages = new Map<string, RequestListener>(
    kinds.map((kind) => [kind, pageDocument(kindPage(kind, problemBaseUrl))]),
  );
  return route<{ kind: string }>(
    {
      id: 'getProblemKind',
      summary: 'Read about a kind of problem',
      description:
        'The page that the `type` of a problem leads to. An unknown kind is 404 `route-not-found`.',
      tag: 'Documents',
      scope: 'none',
      parameters: [
        {
          name: 'kind',
          in: 'path',
          isRequired: true,
          description: 'The kind: the last segment of the `type` of a problem.',
          schema: { type: 'string', enum: kinds },
        },
        ifNoneMatchHeader,
      ],
      responses: pageResponses('A page with meaning, cause and remedy.'),
      problems: ['route-not-found'],
    },
    (request, response) => {
      const { kind } = request.params;
      const httpResponse = pages.get(kind);
      if (httpResponse === undefined) {
        throw problem('route-not-found', `There is no kind of problem "${kind}".`);
      }
      httpResponse(request, response);
    },
  );
}

function isProblemKind(name: string): name is ProblemKind {
  return Object.hasOwn(problemKinds, name);
}
