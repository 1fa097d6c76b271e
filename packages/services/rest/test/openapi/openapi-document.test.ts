import { describe, expect, it } from '@jest/globals';
import { object, text } from '@meridian/json';
import { route, withOpenApi } from '@meridian/rest/openapi';
import type { Operation } from '@meridian/rest/openapi';
import { openApiFaults } from '@meridian/testing/openapi';
import supertest from 'supertest';

import { createNotesApp } from './notes-app.ts';

interface OpenApi {
  paths: Record<
    string,
    Record<string, { operationId: string; security: object[]; responses: Record<string, { $ref?: string }> }>
  >;
  components: { schemas: Record<string, object>; responses: Record<string, ProblemResponse> };
}

interface ProblemResponse {
  headers: Record<string, { required: boolean }>;
  content: { 'application/problem+json': { schema: { properties: { type: { enum: string[] } } } } };
}

const client = supertest(createNotesApp());

async function read(): Promise<{ text: string; document: OpenApi }> {
  const { text } = await client.get('/openapi.json').expect(200);
  return { text, document: JSON.parse(text) as OpenApi };
}

/** The problem that an operation answers with a status. */
function problemOf({ paths, components }: OpenApi, path: string, method: string, status: number) {
  const reference = paths[path]?.[method]?.responses[status]?.$ref ?? '';
  const response = components.responses[reference.replace('#/components/responses/', '')];
  return {
    kinds: response?.content['application/problem+json'].schema.properties.type.enum.map((type) =>
      type.replace('https://notes.example/problems/', ''),
    ),
    headers: Object.entries(response?.headers ?? {}).map(
      ([name, { required }]) => name + (required ? '' : '?'),
    ),
  };
}

describe('The OpenAPI document', () => {
  it('has every route, itself included, with its scope', async () => {
    const { document } = await read();
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, security }]) => [
        path,
        method,
        operationId,
        security,
      ]),
    );
    expect(operations).toEqual([
      ['/notes', 'get', 'listNotes', [{ bearer: ['accounts:read'] }]],
      ['/notes', 'post', 'createNote', [{ bearer: ['accounts:write'] }]],
      ['/note', 'get', 'findNote', [{ bearer: ['accounts:read'] }]],
      ['/notes/{id}', 'get', 'getNote', [{ bearer: ['accounts:read'] }]],
      ['/openapi.json', 'get', 'getOpenApi', []],
    ]);
  });

  it('lints clean', async () => {
    expect(await openApiFaults((await read()).text)).toEqual([]);
  });

  it('has the bounds of 64-bit integers digit for digit', async () => {
    const { text } = await read();
    expect(text).toContain('"minimum":-9223372036854775808,"maximum":9223372036854775807');
  });

  it('defines a named schema once', async () => {
    const { text, document } = await read();
    expect(Object.keys(document.components.schemas)).toEqual(['Note', 'Problem']);
    expect(text.split('"$ref":"#/components/schemas/Note"')).toHaveLength(6);
  });

  it('lists the problem kinds of an operation by status, with their header fields', async () => {
    const { document } = await read();
    expect(problemOf(document, '/notes/{id}', 'get', 404)).toEqual({
      kinds: ['account-not-found'],
      headers: [
        'Request-Id',
        'Cache-Control',
        'RateLimit?',
        'RateLimit-Policy?',
        'Deprecation?',
        'Link?',
        'Vary?',
      ],
    });
    expect(problemOf(document, '/notes/{id}', 'get', 406).headers).toContain('Vary');
    expect(problemOf(document, '/notes/{id}', 'get', 401)).toEqual({
      kinds: ['authentication-required', 'invalid-token'],
      headers: ['Request-Id', 'Cache-Control', 'WWW-Authenticate', 'Deprecation?', 'Link?'],
    });
    expect(problemOf(document, '/notes', 'get', 429).headers).toContain('Retry-After');
    expect(problemOf(document, '/notes', 'get', 400).kinds).toEqual([
      'malformed-request',
      'invalid-parameter',
    ]);
  });

  it('lists the problems of a body and of an Idempotency-Key', async () => {
    const { document } = await read();
    expect(problemOf(document, '/notes', 'post', 415)).toEqual({
      kinds: ['unsupported-media-type'],
      headers: [
        'Request-Id',
        'Cache-Control',
        'Accept-Encoding?',
        'RateLimit?',
        'RateLimit-Policy?',
        'Accept-Post',
      ],
    });
    expect(problemOf(document, '/notes', 'post', 409).kinds).toEqual(['idempotency-key-in-flight']);
    expect(problemOf(document, '/notes', 'post', 422)).toEqual({
      kinds: ['idempotency-key-reused'],
      headers: ['Request-Id', 'Cache-Control', 'RateLimit?', 'RateLimit-Policy?', 'Idempotent-Replayed?'],
    });
  });

  it('marks a retired operation, and a retired representation, with the header fields that say so', async () => {
    const { document } = await read();
    const responseOf = (path: string) => document.paths[path]?.['get']?.responses[200];
    expect(document.paths['/note']?.['get']).toMatchObject({ deprecated: true });
    expect(responseOf('/note')).toMatchObject({
      headers: { Deprecation: { required: true }, Sunset: { required: true } },
    });
    expect(document.paths['/notes/{id}']?.['get']).not.toHaveProperty('deprecated');
    expect(responseOf('/notes/{id}')).toMatchObject({
      headers: { Deprecation: { required: false }, Link: { required: false } },
      content: { 'text/plain': { schema: { deprecated: true } } },
    });
    expect(JSON.stringify(responseOf('/notes'))).not.toContain('eprecat');
  });

  it('lists no problem of identity for an operation without authentication', async () => {
    const { document } = await read();
    const statuses = Object.keys(document.paths['/openapi.json']?.['get']?.responses ?? {});
    expect(statuses).toEqual(['200', '304', '400', '406', '408', '414', '431', '500']);
  });

  it('cannot be made when two schemas have one name', () => {
    const operation = (id: string): Operation => ({
      id,
      summary: id,
      tag: 'Notes',
      scope: 'none',
      responses: { 200: { description: id, content: { 'application/json': namedNote() } } },
    });
    const get = (id: string) => ({ GET: route(operation(id), () => undefined) });
    const api = { title: '', version: '', description: '', tags: [], documentsTag: '', problemBaseUrl: '' };
    expect(() => withOpenApi({ '/a': get('a'), '/b': get('b') }, api)).toThrow(
      'two schemas have the name Note',
    );
  });
});

function namedNote() {
  const schema = object({ id: text() });
  return {
    ...schema,
    jsonSchema: (reference: Parameters<typeof schema.jsonSchema>[0]) =>
      reference('Note', object({ id: text() })),
  };
}

describe('GET /openapi.json', () => {
  it('answers without a token, as exactly application/json, cacheable', async () => {
    const { headers } = await client.get('/openapi.json').expect(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'private, max-age=0, must-revalidate',
      etag: expect.stringMatching(/^"[\w-]{22}"$/),
    });
  });

  it('answers 304 to a client that has it, and 406 to one that does not accept JSON', async () => {
    const { headers } = await client.get('/openapi.json').expect(200);
    const unchanged = await client
      .get('/openapi.json')
      .set('If-None-Match', headers['etag'] ?? '')
      .expect(304);
    expect(unchanged.headers['etag']).toBe(headers['etag']);
    await client.get('/openapi.json').set('Accept', 'text/html').expect(406);
  });

  it('answers HEAD without a body', async () => {
    const { headers } = await client.get('/openapi.json').expect(200);
    const head = await client.head('/openapi.json').expect(200);
    expect(head.headers['content-length']).toBe(headers['content-length']);
    expect(head.text ?? '').toBe('');
  });
});
