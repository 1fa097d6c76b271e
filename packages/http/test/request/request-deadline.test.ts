import { describe, expect, it } from '@jest/globals';
import { ClientDisconnected, DeadlineExceeded } from '@meridian/http';
import request from 'supertest';

import { createExampleApp } from '../fixtures/example-app.ts';
import { startExampleServer } from '../fixtures/example-server.ts';

describe('requestDeadline', () => {
  it('aborts the signal at the deadline, and answers 504 with Retry-After', async () => {
    const reasons: unknown[] = [];
    const response = await request(
      createExampleApp({ deadlineMs: 20, onAbort: (reason) => reasons.push(reason) }),
    ).get('/slow');
    expect(response.status).toBe(504);
    expect(response.headers['retry-after']).toBe('1');
    expect(response.body).toMatchObject({
      type: 'https://api.example/problems/upstream-timeout',
      status: 504,
    });
    expect(reasons).toEqual([expect.any(DeadlineExceeded)]);
  });

  it('aborts the signal with another reason when the client hangs up', async () => {
    const { promise: reason, resolve } = Promise.withResolvers<unknown>();
    const server = await startExampleServer(createExampleApp({ onAbort: resolve }));
    const socket = await server.connect();
    socket.end('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(await reason).toBeInstanceOf(ClientDisconnected);
    await server.close();
  });
});
