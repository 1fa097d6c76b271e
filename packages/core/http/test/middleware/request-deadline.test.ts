import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';
import { ClientDisconnected, DeadlineExceeded, requestDeadline, signalOf } from '@meridian/http';
import type { RequestSignal } from '@meridian/http';
import { eventually } from '@meridian/testing';
import request from 'supertest';

import { createExampleApp } from '../fixtures/example-app.ts';
import { parseResponse, startExampleServer } from '../fixtures/example-server.ts';

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

  it('gives each of several requests its own deadline', async () => {
    const deadlineMs = 60;
    const server = await startExampleServer(createExampleApp({ deadlineMs }));
    const ask = async (delayMs: number): Promise<unknown> => {
      await delay(delayMs);
      const startedMs = performance.now();
      const response = await server.exchange('GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
      // A timer may be a millisecond early.
      const hadItsTime = performance.now() - startedMs >= deadlineMs - 1;
      return { status: parseResponse(response).status, hadItsTime };
    };
    const delaysMs = [0, 20, 40, 3 * deadlineMs];
    const expired = delaysMs.map(() => ({ status: 504, hadItsTime: true }));
    expect(await Promise.all(delaysMs.map(ask))).toEqual(expired);
    await server.close();
  });

  it('aborts no signal whose deadline has ended', async () => {
    const signals: RequestSignal[] = [];
    const withDeadline = requestDeadline(20);
    const server = await startExampleServer((incoming, response) => {
      withDeadline(incoming, response, () => {
        const signal = signalOf(incoming);
        signals.push(signal);
        if (incoming.url === '/ended') {
          signal.endDeadline();
        } else {
          // It began later, so that the other deadline would have passed before.
          signal.addEventListener('abort', () => response.end());
        }
      });
    });
    const socket = await server.connect();
    socket.write('GET /ended HTTP/1.1\r\nHost: a\r\n\r\n');
    await eventually(() => expect(signals).toHaveLength(1));
    await server.exchange('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
    socket.destroy();
    await eventually(() => expect(signals[0]?.reason).toBeInstanceOf(ClientDisconnected));
    await server.close();
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
