import { describe, expect, it } from '@jest/globals';
import { SubscriptionFailure } from '@meridian/executor';

import { ClientStream } from '../../src/streams/client-stream.ts';
import type { StreamEnd } from '../../src/telemetry/request-notes.ts';

describe('A stream that its subgraph ends', () => {
  it.each([
    [
      'fails once the token has expired',
      -1,
      () => Promise.reject(new SubscriptionFailure([])),
      'token_expired',
    ],
    ['completes once the token has expired', -1, complete, 'token_expired'],
    ['completes as the token expires by a clock that is ahead', 900, complete, 'token_expired'],
    ['fails before', 60_000, () => Promise.reject(new SubscriptionFailure([])), 'subgraph_error'],
    ['completes before', 60_000, complete, 'server_close'],
  ] as const)('has its own reason where it %s', async (_when, leftMs, next, reason) => {
    const ends: StreamEnd[] = [];
    const stream = new ClientStream({
      events: { [Symbol.asyncIterator]: () => ({ next }) },
      write: () => Promise.reject(new Error('no event')),
      failed: () => ({ kind: 'next', json: '"failed"', position: undefined }),
      ended: () => ({ kind: 'complete' }),
      expiresAtMs: Date.now() + leftMs,
      maxLifetimeMs: undefined,
      onEnd: (end) => ends.push(end),
    });
    const kinds: string[] = [];
    for await (const { kind } of stream) {
      kinds.push(kind);
    }
    expect(ends).toEqual([reason]);
    expect(kinds).toEqual(reason === 'subgraph_error' ? ['next', 'complete'] : ['complete']);
  });
});

function complete(): Promise<IteratorReturnResult<undefined>> {
  return Promise.resolve({ done: true, value: undefined });
}
