import type { RequestListener } from 'node:http';

import { ifNoneMatchHeader } from '@meridian/rest/openapi';
import type { Operation } from '@meridian/rest/openapi';
import { problem, problemKinds } from '@meridian/problem-details';
import type { ProblemKind } from '@meridian/problem-details';
import type { RequestHandler } from 'express';

import { kindPage } from '../../problem-pages/kind-page.ts';
import { pageDocument, pageResponses } from '../../problem-pages/serve-page.ts';

const kinds = Object.keys(problemKinds).filter(isProblemKind);

export const getProblemKindOperation: Operation = {
  id: 'getProblemKind',
  summary: 'Read about a kind of problem',
  description: 'The page that the `type` of a problem leads to. An unknown kind is 404 `route-not-found`.',
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
};

/** `GET /problems/:kind`: one page for each kind, written once. */
export function getProblemKind(problemBaseUrl: string): RequestHandler<{ kind: string }> {
  const pages = new Map<string, RequestListener>(
    kinds.map((kind) => [kind, pageDocument(kindPage(kind, problemBaseUrl))]),
  );
  return (request, response) => {
    const { kind } = request.params;
    const httpResponse = pages.get(kind);
    if (httpResponse === undefined) {
      throw problem('route-not-found', `There is no kind of problem "${kind}".`);
    }
    httpResponse(request, response);
  };
}

function isProblemKind(name: string): name is ProblemKind {
  return Object.hasOwn(problemKinds, name);
}
