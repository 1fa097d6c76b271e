import { describe, expect, it } from '@jest/globals';
import { handleProblems, problemRenderer, requestDeadline, sendResponse } from '@meridian/http';
import { createExpressApp, resource } from '@meridian/http/express';
import { int64, object } from '@meridian/json';
import { bodySchemaOf, readJsonBody } from '@meridian/rest';
import { createMetrics } from '@meridian/telemetry';
import supertest from 'supertest';

const content = {
  'application/json': object({ size: int64() }),
  'application/merge-patch+json': object({ size: int64({ minimum: 1n }) }),
};

const app = createExpressApp();
app.use(requestDeadline(1_000));
resource(app, '/', {
  POST: [
    async (request, response) => {
      const schema = bodySchemaOf(request, content, { 'Accept-Patch': 'application/merge-patch+json' });
      const { bytes, value } = await readJsonBody(request, schema);
      sendResponse(request, response, { status: 200, body: `${bytes.byteLength} ${value.size}` });
    },
  ],
});
app.use(
  handleProblems({
    renderProblem: problemRenderer('https://notes.example'),
    metrics: createMetrics({ service: 'notes' }),
  }),
);

const post = (body: string, contentType = 'application/json') =>
  supertest(app).post('/').set('Content-Type', contentType).send(body);

describe('readJsonBody', () => {
  it('reads a body by its schema, and returns its bytes', async () => {
    const response = await post('{"size": 9007199254740993}').expect(200);
    expect(response.text).toBe('26 9007199254740993');
  });

  it.each([
    ['{"size":"1"}', 'size is not an integer'],
    ['{"size":1', 'Cannot parse JSON: text ends too early, at byte 9'],
    ['', 'it is empty'],
    [' ', 'Cannot parse JSON: text ends too early, at byte 1'],
  ])('answers 400 malformed-body to %s: %s', async (body, fault) => {
    const response = await post(body).expect(400);
    expect(JSON.parse(response.text)).toMatchObject({
      type: 'https://notes.example/problems/malformed-body',
      detail: `Cannot read the body: ${fault}.`,
    });
  });
});

describe('bodySchemaOf', () => {
  it('returns the schema of the declared media type, or the first without one', async () => {
    await post('{"size":0}', 'application/json').expect(200);
    await post('{"size":0}', 'application/merge-patch+json').expect(400);
    // White space around a value is none of it; supertest would make a form of an empty one.
    await post('{"size":0}', ' ').expect(200);
  });

  it('answers 415 with the given header fields to another media type', async () => {
    const response = await post('{"size":0}', 'text/plain').expect(415);
    expect(response.headers['accept-patch']).toBe('application/merge-patch+json');
  });
});
