import { describe, expect, it } from '@jest/globals';
import { handleProblems, sendResponse } from '@meridian/http';
import { createExpressApp, resource, routeNotFound } from '@meridian/http/express';
import { createMetrics } from '@meridian/telemetry';
import request from 'supertest';

import { createExampleApp, renderProblem } from '../fixtures/example-app.ts';

const app = createExampleApp();

describe('A path without a route', () => {
  it.each(['/', '/nowhere', '/things/1/more', '/Things/1', '/THINGS'])(
    'is answered with 404 route-not-found: %s',
    async (path) => {
      const response = await request(app).get(path);
      expect(response.status).toBe(404);
      expect(response.headers['content-type']).toBe('application/problem+json');
      expect(response.body).toEqual({
        type: 'https://api.example/problems/route-not-found',
        status: 404,
        detail: 'No resource has a path of this shape.',
      });
    },
  );
});

describe('A method that the route does not have', () => {
  it.each(['put', 'post', 'patch', 'delete', 'options'] as const)(
    'is answered with 405 method-not-allowed and Allow, before authentication: %s',
    async (method) => {
      const response = await request(app)[method]('/mine');
      expect(response.status).toBe(405);
      expect(response.headers['allow']).toBe('GET, HEAD');
      expect(response.body).toMatchObject({
        type: 'https://api.example/problems/method-not-allowed',
        status: 405,
      });
    },
  );

  it('is answered with 405 for HEAD too when there is no GET', async () => {
    const response = await request(app).head('/things');
    expect(response.status).toBe(405);
    expect(response.headers['allow']).toBe('POST');
  });

  it('is answered with every method of the route in Allow', async () => {
    expect((await request(app).delete('/things/1')).headers['allow']).toBe('GET, HEAD, PUT');
  });
});

describe('A HEAD request', () => {
  it('is answered with the header fields of GET, Content-Length included, and no body', async () => {
    const [get, head] = [await request(app).get('/things/1'), await request(app).head('/things/1')];
    expect(head.status).toBe(200);
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    expect(head.headers['etag']).toBe('"1"');
    expect(head.text).toBeUndefined();
  });

  it("is answered with a problem's header fields and no body", async () => {
    const head = await request(app).head('/nowhere');
    expect(head.status).toBe(404);
    expect(head.headers['content-type']).toBe('application/problem+json');
    expect(head.text).toBeUndefined();
  });
});

describe('The Express app', () => {
  it.each(['"1"', 'W/"1"', '*', '"0", "1"'])(
    'does not turn a 200 into a 304 for If-None-Match: %s',
    async (validator) => {
      expect((await request(app).get('/things/1').set('If-None-Match', validator)).status).toBe(200);
    },
  );

  it('adds no header fields', async () => {
    const bare = createExpressApp();
    resource(bare, '/bare', { GET: [(req, res) => sendResponse(req, res, { status: 200, body: 'bare' })] });
    bare.use(routeNotFound, handleProblems({ renderProblem, metrics: createMetrics({ service: 'bare' }) }));
    const { headers } = await request(bare).get('/bare');
    expect(Object.keys(headers).toSorted()).toEqual(['connection', 'content-length', 'date']);
  });
});
