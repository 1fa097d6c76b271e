import { describe, expect, it } from '@jest/globals';
import { createResponseChecker, openApiFaults } from '@meridian/testing/openapi';
import type { ObservedResponse } from '@meridian/testing/openapi';

const requestId = { required: true, schema: { type: 'string', format: 'uuid' } };
const problem = {
  type: 'object',
  required: ['type', 'status'],
  properties: { status: { type: 'integer' }, type: { type: 'string' } },
};
const document = {
  openapi: '3.1.0',
  info: { title: 'Notes', version: '1' },
  paths: {
    '/notes/{id}': {
      get: {
        responses: {
          200: {
            description: 'A note.',
            headers: { 'Request-Id': requestId, Age: { schema: { type: 'integer' } } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } },
          },
          304: { description: 'Unchanged.', headers: { 'Request-Id': requestId } },
          404: { $ref: '#/components/responses/none' },
        },
      },
    },
    '/page': {
      get: { responses: { 200: { description: 'A page.', content: { 'text/html': { schema: {} } } } } },
    },
  },
  components: {
    schemas: {
      Problem: problem,
      Note: {
        type: 'object',
        required: ['id'],
        additionalProperties: false,
        properties: { id: { type: 'string' } },
      },
    },
    responses: {
      none: { description: 'None.', content: { 'application/problem+json': { schema: problem } } },
    },
  },
};
const checker = createResponseChecker(JSON.stringify(document));

const found: ObservedResponse = {
  method: 'GET',
  target: '/notes/a?x=1',
  status: 200,
  headers: {
    'request-id': '0195d3c2-0000-7000-8000-000000000000',
    'content-type': 'application/json',
    'content-length': '10',
    date: 'now',
  },
  body: '{"id":"a"}',
};

describe('createAnswerChecker', () => {
  it.each<[string, Partial<ObservedResponse>]>([
    ['an answer as it is documented', {}],
    ['an optional header', { headers: { ...found.headers, age: '5' } }],
    ['HEAD without a body', { method: 'HEAD', body: '' }],
    ['an answer without content', { status: 304, body: '' }],
    [
      'a response through a reference',
      {
        status: 404,
        headers: { 'content-type': 'application/problem+json' },
        body: '{"type":"x","status":404}',
      },
    ],
    [
      'text with a charset',
      { target: '/page', headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<p>' },
    ],
    [
      'the redirect of a trailing slash',
      { target: '/notes/a/', status: 301, headers: { location: '/notes/a' }, body: '' },
    ],
    ['a problem of no operation', { method: 'PUT', status: 405, body: '{"type":"x","status":405}' }],
  ])('finds no fault in %s', (_what, change) => {
    expect(checker.faultsOf({ ...found, ...change })).toEqual([]);
  });

  it.each<[string, Partial<ObservedResponse>]>([
    ['GET /notes/{id} has no response 418', { status: 418 }],
    [
      'GET /notes/{id} 200: the header x-extra is not in the document',
      { headers: { ...found.headers, 'x-extra': '' } },
    ],
    [
      'GET /notes/{id} 200: the header Request-Id is missing',
      { headers: { 'content-type': 'application/json' } },
    ],
    [
      'GET /notes/{id} 200: the header Request-Id must match format "uuid"',
      { headers: { ...found.headers, 'request-id': 'x' } },
    ],
    ['GET /notes/{id} 200: the header Age must be integer', { headers: { ...found.headers, age: 'old' } }],
    [
      'GET /notes/{id} 200: the media type text/plain is not in the document',
      { headers: { ...found.headers, 'content-type': 'text/plain' } },
    ],
    [
      'GET /notes/{id} 200: the media type application/json; charset=utf-8 is not in the document',
      { headers: { ...found.headers, 'content-type': 'application/json; charset=utf-8' } },
    ],
    ['GET /notes/{id} 200: the body /id must be string', { body: '{"id":1}' }],
    ['GET /notes/{id} 200: the body must NOT have additional properties', { body: '{"id":"a","x":1}' }],
    ['GET /notes/{id} 200: the body must be object', { body: 'not json' }],
    ['GET /notes/{id} 304: has a body', { status: 304 }],
    ['HEAD /notes/{id} 200: has a body', { method: 'HEAD' }],
    ['PUT /notes/a is not in the document', { method: 'PUT', target: '/notes/a' }],
    ['GET /other is not in the document', { target: '/other' }],
    [
      "GET /other: must have required property 'type'",
      { target: '/other', status: 404, body: '{"status":404}' },
    ],
    ['/notes/a/ redirects nowhere', { target: '/notes/a/', status: 301, headers: {} }],
  ])('finds: %s', (fault, change) => {
    expect(checker.faultsOf({ ...found, ...change })).toEqual([fault]);
  });
});

describe('openApiFaults', () => {
  it('finds what Redocly recommends against, with its place', async () => {
    const faults = await openApiFaults(JSON.stringify(document));
    expect(faults).toContain(
      '#/paths/~1page/get/operationId operation-operationId: Operation object should contain `operationId` field.',
    );
  });

  it.each([String.raw`^\P{Cc}*$`, '^(?!a)b', '^(?<=a)b'])(
    'finds the pattern %s, which other languages do not have',
    async (pattern) => {
      const faults = await openApiFaults(
        JSON.stringify({ ...document, components: { schemas: { T: { type: 'string', pattern } } } }),
      );
      expect(faults).toContain(JSON.stringify({ pattern }).slice(1, -1));
    },
  );
});
