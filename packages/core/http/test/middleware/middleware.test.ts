import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

import { describe, expect, it } from '@jest/globals';
import { inSequence } from '@meridian/http';
import type { Middleware } from '@meridian/http';

const request = new IncomingMessage(new Socket());
const response = new ServerResponse(request);

/** Passes a request on; resolves to the error of the last `next`, if any. */
function pass(...steps: Middleware[]): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  inSequence(steps)(request, response, resolve);
  return promise;
}

describe('inSequence', () => {
  it('runs each step when the previous one has called next', async () => {
    const order: string[] = [];
    const error = await pass(
      (_request, _response, next) => {
        order.push('one');
        next();
        order.push('one again');
      },
      async (_request, _response, next) => {
        await Promise.resolve();
        order.push('two');
        next();
      },
    );
    expect(error).toBeUndefined();
    expect(order).toEqual(['one', 'one again', 'two']);
  });

  it('goes on after next(null), as Express does', async () => {
    let isReached = false;
    await pass(
      (_request, _response, next) => next(null),
      (_request, _response, next) => {
        isReached = true;
        next();
      },
    );
    expect(isReached).toBe(true);
  });

  const fault = new Error('fault');
  const throwing: Middleware = () => {
    throw fault;
  };
  const faulty: [string, Middleware][] = [
    ['throws', throwing],
    ['is rejected with', () => Promise.reject(fault)],
    ['passes to next', (_request, _response, next) => next(fault)],
  ];
  it.each(faulty)('passes on what a step %s, and runs no later step', async (_how, step) => {
    let isReached = false;
    const late: Middleware = (_request, _response, next) => {
      isReached = true;
      next();
    };
    expect(await pass(step, late)).toBe(fault);
    expect(isReached).toBe(false);
  });

  it('passes a request on at once without steps', async () => {
    expect(await pass()).toBeUndefined();
  });
});
