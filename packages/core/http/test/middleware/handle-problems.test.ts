import { describe, expect, it } from '@jest/globals';
import request from 'supertest';

import { createExampleApp } from '../fixtures/example-app.ts';
import { startExampleServer } from '../fixtures/example-server.ts';
import { memoryLogger } from '../fixtures/memory-logger.ts';

describe('handleProblems', () => {
  it("answers a problem's exact members, type, status and detail, with no-store", async () => {
    const response = await request(createExampleApp()).put('/things/1');
    expect(response.status).toBe(428);
    expect(response.headers).toMatchObject({
      'content-type': 'application/problem+json',
      'cache-control': 'no-store',
    });
    expect(response.body).toStrictEqual({
      type: 'https://api.example/problems/if-match-required',
      status: 428,
      detail: 'Send If-Match.',
    });
  });

  it('shows an unexpected error as internal, and logs it with its stack', async () => {
    const { logger, lines } = memoryLogger();
    const response = await request(createExampleApp({ logger })).get('/broken');
    expect(response.status).toBe(500);
    expect(response.body).toMatchObject({ type: 'https://api.example/problems/internal', status: 500 });
    expect(response.text).not.toMatch(/select|db-3|Error/);
    expect(lines()).toContainEqual(
      expect.objectContaining({
        level: 'error',
        requestId: response.headers['request-id'],
        err: expect.objectContaining({
          message: 'select * from accounts failed on db-3',
          stack: expect.stringContaining('example-app.ts'),
        }),
      }),
    );
  });

  it('cuts off a response that fails halfway, so that it does not look complete', async () => {
    const server = await startExampleServer();
    const response = await server.exchange('GET /half HTTP/1.1\r\nHost: a\r\n\r\n');
    await server.close();
    expect(response).toContain('half');
    expect(response).not.toContain('\r\n0\r\n\r\n');
  });
});
