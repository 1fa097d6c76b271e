import type { TokenVerifier } from '@meridian/auth';
import { handleProblems, checkTarget, problemRenderer } from '@meridian/http';
import type { Middleware } from '@meridian/http';
import { createExpressApp, routeNotFound } from '@meridian/http/express';
import { int64, array, named, object, text } from '@meridian/json';
import {
  cacheControlHeader,
  deprecated,
  etagHeader,
  ifNoneMatchHeader,
  queryParameter,
  route,
  serveRoutes,
  withOpenApi,
} from '@meridian/rest/openapi';
import type { Operation, RouteTable } from '@meridian/rest/openapi';
import { createMetrics } from '@meridian/telemetry';
import { positiveInteger } from '@meridian/settings/values';
import type { Express } from 'express';

const note = named('Note', object({ id: text(), size: int64() }));

const limit = queryParameter('limit', {
  description: 'How many.',
  type: positiveInteger,
});

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  isRequired: false,
  description: 'A key.',
  schema: { type: 'string' },
} as const;

const listNotes: Operation = {
  id: 'listNotes',
  summary: 'List notes',
  tag: 'Notes',
  scope: 'accounts:read',
  parameters: [limit],
  responses: {
    200: { description: 'A page.', content: { 'application/json': object({ items: array(note) }) } },
  },
};

const createNote: Operation = {
  id: 'createNote',
  summary: 'Create a note',
  tag: 'Notes',
  scope: 'accounts:write',
  body: { 'application/json': note },
  problemHeaders: {
    415: [
      { name: 'Accept-Post', isRequired: true, description: 'What it takes.', schema: { type: 'string' } },
    ],
  },
  idempotencyKey,
  responses: { 201: { description: 'The note.', content: { 'application/json': note } } },
};

const getNote: Operation = {
  id: 'getNote',
  summary: 'Read a note',
  tag: 'Notes',
  scope: 'accounts:read',
  variesByAccept: true,
  parameters: [
    { name: 'id', in: 'path', isRequired: true, description: 'Which note.', schema: { type: 'string' } },
    ifNoneMatchHeader,
  ],
  problems: ['account-not-found'],
  responses: {
    200: {
      description: 'The note.',
      headers: [etagHeader, cacheControlHeader('private')],
      content: {
        'application/json': note,
        'text/plain': deprecated(text(), {
          since: new Date('2026-11-01'),
          link: 'https://notes.example/json',
        }),
      },
    },
    304: { description: 'Unchanged.', headers: [etagHeader, cacheControlHeader('private')] },
  },
};

const findNote: Operation = {
  id: 'findNote',
  summary: 'Find a note',
  tag: 'Notes',
  scope: 'accounts:read',
  deprecation: { since: new Date('2026-11-01'), sunset: new Date('2027-11-01') },
  problems: ['account-not-found'],
  responses: { 200: { description: 'The note.', content: { 'application/json': note } } },
};

const routes: RouteTable = {
  '/notes': {
    GET: route(listNotes, (request, response) => response.end(String(limit.of(request)))),
    POST: route(createNote, (_request, response) => response.end()),
  },
  '/note': {
    GET: route(findNote, (_request, response) => response.end('{"id":"a","size":1}')),
  },
  '/notes/:id': {
    GET: route<{ id: string }>(getNote, ({ params }, response) => response.end(params.id)),
  },
};

/** A service with a few routes. */
export function createNotesApp(): Express {
  const app = createExpressApp();
  app.use(checkTarget);
  const documented = withOpenApi(routes, {
    title: 'Notes',
    version: '1',
    description: 'Notes.',
    tags: [
      { name: 'Notes', description: 'Notes.' },
      { name: 'About', description: 'About.' },
    ],
    documentsTag: 'About',
    problemBaseUrl: 'https://notes.example',
  });
  serveRoutes(app, documented, { verifier, throttle: passOn('throttle'), limitLoad: passOn('limit-load') });
  app.use(routeNotFound);
  app.use(
    handleProblems({
      renderProblem: problemRenderer('https://notes.example'),
      metrics: createMetrics({ service: 'notes' }),
    }),
  );
  return app;
}

/** Takes a scope for a token, with a dot for its colon, which no token has. */
const verifier: TokenVerifier = {
  verify: async (token) => ({
    tenantId: 'acme',
    subject: 'alice',
    issuer: 'https://notes.example',
    scopes: new Set([token.replace('.', ':')]),
    expiresAt: Infinity,
  }),
  find: () => undefined,
  close: () => undefined,
};

/** A step that says in `Passed` that a request came to it. */
function passOn(step: string): Middleware {
  return (_request, response, next) => {
    response.appendHeader('Passed', step);
    next();
  };
}
