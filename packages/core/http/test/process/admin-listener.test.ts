import { randomUUID } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';
import { createAdminListener } from '@meridian/http';
import type { AdminListenerOptions } from '@meridian/http';
import { problem } from '@meridian/problem-details';
import { createMetrics } from '@meridian/telemetry';
import request from 'supertest';

import { renderProblem } from '../fixtures/example-app.ts';
import { memoryLogger } from '../fixtures/memory-logger.ts';

describe('GET /livez', () => {
  it('answers 200 even while the service is not ready', async () => {
    const response = await request(
      adminListener({ isReady: () => Promise.reject(new Error('no store')) }),
    ).get('/livez');
    expect(response.status).toBe(200);
    expect(response.headers['request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('GET /readyz', () => {
  it('answers 200 when the service is ready', async () => {
    expect((await request(adminListener()).get('/readyz')).status).toBe(200);
  });

  it('answers 503 with Retry-After and without a reason when the service is not ready', async () => {
    const { logger, lines } = memoryLogger();
    const listener = adminListener({ logger, isReady: () => Promise.reject(new Error('cannot reach db-3')) });
    const response = await request(listener).get('/readyz');
    expect(response.status).toBe(503);
    expect(response.headers['retry-after']).toBe('1');
    expect(response.body).toMatchObject({ type: 'https://api.example/problems/unavailable', status: 503 });
    expect(response.text).not.toContain('db-3');
    expect(lines()).toContainEqual(expect.objectContaining({ reason: 'cannot reach db-3' }));
  });

  it('shows the reason when a problem has one', async () => {
    const isReady = () => Promise.reject(problem('unavailable', 'The service is starting.'));
    const response = await request(adminListener({ isReady })).get('/readyz');
    expect([response.status, response.body]).toEqual([
      503,
      expect.objectContaining({ detail: 'The service is starting.' }),
    ]);
  });

  it('is logged once while the service is not ready, however often it is requested', async () => {
    const { logger, lines } = memoryLogger();
    const listener = adminListener({ logger, isReady: () => Promise.reject(new Error('no store')) });
    await request(listener).get('/readyz');
    await request(listener).get('/readyz');
    expect(lines()).toEqual([expect.objectContaining({ reason: 'no store', msg: 'not ready' })]);
  });

  it('is logged once for each reason, though the reasons alternate, and again after the service was ready', async () => {
    const { logger, lines } = memoryLogger();
    const reasons = ['no store', 'timeout', 'no store', 'timeout', undefined, 'no store'];
    const isReady = (): Promise<void> => {
      const reason = reasons.shift();
      return reason === undefined ? Promise.resolve() : Promise.reject(new Error(reason));
    };
    const listener = adminListener({ logger, isReady });
    while (reasons.length > 0) {
      await request(listener).get('/readyz');
    }
    expect(lines().map(({ msg, reason }) => reason ?? msg)).toEqual([
      'no store',
      'timeout',
      'ready again',
      'no store',
    ]);
  });

  it('logs no more than ten lines for reasons that are never the same', async () => {
    const { logger, lines } = memoryLogger();
    const isReady = (): Promise<void> => Promise.reject(new Error(`connection ${randomUUID()} was lost`));
    const listener = adminListener({ logger, isReady });
    for (let probe = 1; probe <= 20; probe += 1) {
      await request(listener).get('/readyz');
    }
    expect(lines()).toHaveLength(10);
  });

  it('answers 503 after a second when the check never settles, and aborts the check', async () => {
    let signal: AbortSignal | undefined;
    const isReady = (given: AbortSignal): Promise<void> => {
      signal = given;
      return new Promise(() => {});
    };
    expect((await request(adminListener({ isReady })).get('/readyz')).status).toBe(503);
    expect(signal?.aborted).toBe(true);
  });
});

describe('GET /metrics', () => {
  it("answers the process's Prometheus text", async () => {
    const response = await request(adminListener()).get('/metrics');
    expect(response.status).toBe(200);
    expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(response.text).toContain('process_resident_memory_bytes{service="example"}');
  });
});

describe('Another path of the admin listener', () => {
  it('is served when the service has added it', async () => {
    const routes = () => ({ '/health': () => ({ status: 200, body: '{"status":"UP"}' }) });
    expect((await request(adminListener({ routes })).get('/health')).status).toBe(200);
  });

  it.each(['/', '/livez/', '/LIVEZ', '/accounts/1'])('is answered with 404 otherwise: %s', async (path) => {
    const response = await request(adminListener()).get(path);
    expect(response.status).toBe(404);
    expect(response.body).toMatchObject({ type: 'https://api.example/problems/route-not-found' });
  });
});

describe('Another method than GET and HEAD on the admin listener', () => {
  it('is answered with 405', async () => {
    const response = await request(adminListener()).post('/readyz');
    expect(response.status).toBe(405);
    expect(response.headers['allow']).toBe('GET, HEAD');
  });
});

describe('A path of the admin listener that throws', () => {
  it('is answered with 500 internal, and logged', async () => {
    const { logger, lines } = memoryLogger();
    const routes = () => ({ '/health': () => Promise.reject(new Error('broken')) });
    const response = await request(adminListener({ routes, logger })).get('/health');
    expect(response.status).toBe(500);
    expect(response.text).not.toContain('broken');
    expect(lines()).toContainEqual(
      expect.objectContaining({ level: 'error', requestId: response.headers['request-id'] }),
    );
  });
});

function adminListener(options: Partial<AdminListenerOptions> = {}): ReturnType<typeof createAdminListener> {
  return createAdminListener({
    metrics: createMetrics({ service: 'example' }),
    logger: memoryLogger().logger,
    renderProblem,
    isReady: () => Promise.resolve(),
    ...options,
  });
}
