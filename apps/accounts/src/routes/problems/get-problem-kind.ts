import type { RequestListener } from 'node:http';

import { nodeHttp } from '@meridian/http';
import { ifNoneMatchHeader, route } from '@meridian/rest/openapi';
import type { Route } from '@meridian/rest/openapi';
import { problem, problemKinds, problemMediaType, problemType } from '@meridian/problem-details';
import type { ProblemKind } from '@meridian/problem-details';

import { pageDocument, pageResponses } from '../../problem-pages/serve-page.ts';
import { html } from '../../problem-pages/html.ts';
import { htmlPage } from '../../problem-pages/html-page.ts';

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

/** The page that the `type` of a problem leads to: what it means, why it happens, what a client should do. */
function kindPage(kind: ProblemKind, problemBaseUrl: string): string {
  const { status, title, meaning, cause, remedy } = problemKinds[kind];
  const type = problemType(kind, problemBaseUrl);
  const example = JSON.stringify({ type, status, detail: cause }, null, 2);
  return htmlPage({
    title,
    description: `${meaning} ${cause}`,
    root: '../',
    main: html`<h1>${title}</h1>
      <dl>
        <dt>Kind</dt>
        <dd><code>${kind}</code></dd>
        <dt>Status</dt>
        <dd>${status} ${nodeHttp.STATUS_CODES[status] ?? ''}</dd>
        <dt>Send it again?</dt>
        <dd>${retryAdvice(kind)}</dd>
      </dl>
      <h2>What it means</h2>
      <p>${meaning}</p>
      <h2>Why it happens</h2>
      <p>${cause}</p>
      <h2>What to do</h2>
      <p>${remedy}</p>
      <h2>What it looks like</h2>
      <p>
        The body of the response, as <code>${problemMediaType}</code>. The detail is for people, and differs
        from response to response.
      </p>
      <pre><code>${example}</code></pre>`,
  });
}

const afterRetryAfter = 'Yes, after the seconds that Retry-After states.';

/** Where sending again helps. Spec: Errors, "Status codes", client handling. */
const adviceByStatus = new Map<number, string>([
  [401, 'Yes, with a new token.'],
  [408, 'Yes, on a new connection.'],
  [412, 'Yes, with the current ETag, after reading again.'],
  [428, 'Yes, with If-Match.'],
  [429, afterRetryAfter],
  [500, 'Not by itself: the same request is likely to fail again.'],
  [503, afterRetryAfter],
  [504, afterRetryAfter],
]);

/** Says whether sending the request again helps. */
function retryAdvice(kind: ProblemKind): string {
  if (kind === 'idempotency-key-in-flight') {
    return 'Yes, the same request, after a moment.';
  }
  return adviceByStatus.get(problemKinds[kind].status) ?? 'No: the same request is refused again.';
}
