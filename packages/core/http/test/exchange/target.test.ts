import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';

import { createExampleApp } from '../fixtures/example-app.ts';
import { parseResponse, startExampleServer } from '../fixtures/example-server.ts';
import type { ExampleServer } from '../fixtures/example-server.ts';

const app = createExampleApp();
let server: ExampleServer;

beforeAll(async () => {
  server = await startExampleServer(app);
});
afterAll(() => server.close());

describe('A path with a trailing slash', () => {
  it.each(['get', 'head', 'put', 'post', 'patch', 'delete', 'options'] as const)(
    'is redirected with 301 for %s, whether or not the route has that method',
    async (method) => {
      const response = await request(app)[method]('/things/1/');
      expect(response.status).toBe(301);
      expect(response.headers).toMatchObject({ location: '/things/1', 'content-length': '0' });
      expect(response.headers['request-id']).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  it('is redirected before authentication', async () => {
    expect((await request(app).get('/mine/')).status).toBe(301);
  });

  it('keeps its query string unchanged', async () => {
    const response = await request(app).get('/things/?limit=2&cursor=a%2Fb/&x');
    expect(response.headers['location']).toBe('/things?limit=2&cursor=a%2Fb/&x');
  });

  it.each([
    ['several slashes at the end', '/things/1///', '/things/1'],
    ['another host after two slashes', '//evil.example/', '/evil.example'],
    ['another host after many slashes', '////evil.example//', '/evil.example'],
    ['a backslash, which browsers read as a slash', '/\\evil.example/', '/%5Cevil.example'],
    ['a backslash after slashes', '//\\evil.example/', '/%5Cevil.example'],
    ['dots in front of two slashes', '/..//evil.example/', '/..//evil.example'],
    ['an escaped slash', '/things/%2F/', '/things/%2F'],
    ['nothing but slashes', '///', '/'],
  ])('is redirected on its own host for %s', async (_what, target, location) => {
    const response = await server.exchange(
      `GET ${target} HTTP/1.1\r\nHost: api.example\r\nConnection: close\r\n\r\n`,
    );
    const { status, headers } = parseResponse(response);
    expect({ status, location: headers.get('location') }).toEqual({ status: 301, location });
    expect(new URL(location, 'https://api.example').host).toBe('api.example');
  });
});

describe('A path without a trailing slash', () => {
  it('is not redirected for a slash in its query', async () => {
    expect((await request(app).get('/things/1?next=/')).status).toBe(200);
  });

  it('is not redirected when it is the root', async () => {
    expect((await request(app).get('/')).status).toBe(404);
  });
});

describe('A path with a bad percent-escape', () => {
  it.each(['/%zz', '/things/%', '/things/%e', '/nowhere/%ff', '/mine/%C3%28'])(
    'is answered with 400 malformed-request: %s',
    async (path) => {
      const response = await request(app).get(path);
      expect(response.status).toBe(400);
      expect(response.body).toMatchObject({
        type: 'https://api.example/problems/malformed-request',
        status: 400,
      });
    },
  );

  it('is accepted in the query, which the route reads itself', async () => {
    expect((await request(app).get('/things/1?q=%zz')).status).toBe(200);
  });
});
