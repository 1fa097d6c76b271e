import { describe, expect, it } from '@jest/globals';

import type { Explanation } from '../../src/explain/explanation.ts';
import { createExplanationRing } from '../../src/explain/explanation-ring.ts';

describe('createExplanationRing', () => {
  const explanation = (requestId: string, reason = ''): Explanation => ({
    requestId,
    traceId: `trace of ${requestId}`,
    startedAt: '2026-01-31T00:00:00.000Z',
    durationMs: 1,
    method: 'POST',
    status: 200,
    client: { name: '', version: '' },
    requestError: { code: 'BAD_REQUEST', reason },
    stages: [],
    fetches: [],
    errors: [],
  });

  it('drops the oldest entry when it is full, and never holds more than its bytes', () => {
    const ring = createExplanationRing(10_000);
    for (let index = 0; index < 100; index += 1) {
      ring.add(explanation(String(index), 'x'.repeat(1000)));
    }
    const kept = Array.from({ length: 100 }, (_item, index) => String(index)).filter(
      (id) => ring.find(id).length > 0,
    );
    expect(kept).toEqual(['94', '95', '96', '97', '98', '99']);
  });

  it('does not store an entry larger than its capacity, and keeps the others', () => {
    const ring = createExplanationRing(2000);
    ring.add(explanation('small'));
    ring.add(explanation('large', 'x'.repeat(5000)));
    expect([ring.find('small').length, ring.find('large').length]).toEqual([1, 0]);
  });

  it('redacts secrets in the messages of errors', () => {
    const ring = createExplanationRing(10_000);
    ring.add(explanation('1', 'cannot reach postgresql://user:hunter2@db'));
    expect(JSON.stringify(ring.find('1'))).not.toContain('hunter2');
  });
});
