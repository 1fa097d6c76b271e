import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@meridian/telemetry';

import type { ExecutionError } from '../../../src/executor/executor.ts';
import { logErrors } from '../../../src/pipeline/4-mask/log-errors.ts';

/** The messages that are logged of so many errors of a subgraph. */
function logged(count: number): unknown[] {
  const messages: unknown[] = [];
  const log = createLogger({
    service: 'gateway',
    destination: { write: (line) => void messages.push((JSON.parse(line) as { msg: unknown }).msg) },
  });
  const errors = Array.from({ length: count }, (_, index): ExecutionError => ({
    kind: 'reported',
    subgraph: 'products',
    message: 'not found',
    extensions: {},
    path: ['products', index],
  }));
  logErrors(errors, log);
  return messages;
}

describe('the log of the errors of a run', () => {
  it('has a line for each', () => {
    expect(logged(50)).toEqual(Array(50).fill('a subgraph reported an error'));
  });

  it('has the first of very many, and says that there are more', () => {
    expect(logged(10_000)).toEqual([
      'a run has more errors than are logged',
      ...Array<string>(50).fill('a subgraph reported an error'),
    ]);
  });
});
