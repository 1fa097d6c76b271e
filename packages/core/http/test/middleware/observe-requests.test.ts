import { describe, expect, it } from '@jest/globals';
import { createMetrics } from '@meridian/telemetry';
import request from 'supertest';

import { createExampleApp } from '../fixtures/example-app.ts';
import { startExampleServer } from '../fixtures/example-server.ts';
import { memoryLogger } from '../fixtures/memory-logger.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('observeRequests', () => {
  it.each(['/things/1', '/things/1/', '/nowhere', '/mine', '/broken', '/%zz'])(
    'sends a Request-Id with the response for %s',
    async (path) => {
      expect((await request(createExampleApp()).get(path)).headers['request-id']).toMatch(uuid);
    },
  );

  it('ignores a request id from the client', async () => {
    const response = await request(createExampleApp()).get('/things/1').set('Request-Id', 'mine');
    expect(response.headers['request-id']).toMatch(uuid);
  });

  it("logs one line for each request, with the client's request id, and without the query", async () => {
    const { logger, lines } = memoryLogger();
    const response = await request(createExampleApp({ logger })).get('/things/1?cursor=next-page');
    expect(lines().filter(({ msg }) => msg === 'request')).toEqual([
      expect.objectContaining({
        requestId: response.headers['request-id'],
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
        method: 'GET',
        path: '/things/1',
        route: '/things/:id',
        status: 200,
        durationMs: expect.any(Number),
      }),
    ]);
    expect(JSON.stringify(lines())).not.toContain('next-page');
  });

  it('logs the configured share of lines, chosen by trace id', async () => {
    const { logger, lines } = memoryLogger();
    const app = createExampleApp({ logger, requestLogRatio: 0.5 });
    for (const end of ['00000000', '7fffffff', '80000000', 'ffffffff']) {
      await request(app)
        .get('/things/1')
        .set('traceparent', `00-${end.padStart(32, 'a')}-00f067aa0ba902b7-01`);
    }
    const written = lines().filter(({ msg }) => msg === 'request');
    expect(written.map(({ traceId }) => String(traceId).slice(-8))).toEqual(['00000000', '7fffffff']);
  });

  it('always logs a failed request', async () => {
    const { logger, lines } = memoryLogger();
    const app = createExampleApp({ logger, requestLogRatio: 0 });
    for (const path of ['/things/1', '/nowhere', '/broken', '/noted']) {
      await request(app).get(path);
    }
    const written = lines().filter(({ msg }) => msg === 'request');
    expect(written).toMatchObject([
      { path: '/nowhere', status: 404 },
      { path: '/broken', status: 500 },
      { path: '/noted', status: 200, errorCodes: ['NOT_FOUND'] },
    ]);
  });

  it("logs the same request id and trace for a handler's own lines", async () => {
    const { logger, lines } = memoryLogger();
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const response = await request(createExampleApp({ logger }))
      .get('/things/1')
      .set('traceparent', `00-${traceId}-00f067aa0ba902b7-01`);
    expect(lines()[0]).toMatchObject({
      msg: 'thing read',
      requestId: response.headers['request-id'],
      traceId,
    });
  });

  it('measures by the pattern of the route, not by the path', async () => {
    const metrics = createMetrics({ service: 'example' });
    const app = createExampleApp({ metrics });
    await request(app).get('/things/1');
    await request(app).get('/things/2');
    await request(app).get('/nowhere/2');
    const text = await metrics.registry.metrics();
    expect(text).toMatch(
      /request_duration_seconds_count\{.*http_route="\/things\/:id",http_request_method="GET",http_response_status_code="200"\} 2/,
    );
    expect(text).toMatch(
      /request_duration_seconds_count\{.*http_route="unmatched",http_request_method="GET",http_response_status_code="404"\} 1/,
    );
    expect(text).toContain('http_server_problems_total{kind="route-not-found",service="example"} 1');
  });

  it('counts a request whose client went away as 499', async () => {
    const { logger, lines } = memoryLogger();
    const { promise: aborted, resolve } = Promise.withResolvers<unknown>();
    const server = await startExampleServer(createExampleApp({ logger, onAbort: resolve }));
    const socket = await server.connect();
    socket.end('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
    await aborted;
    await server.close();
    expect(lines()).toContainEqual(expect.objectContaining({ msg: 'request', route: '/slow', status: 499 }));
  });
});
