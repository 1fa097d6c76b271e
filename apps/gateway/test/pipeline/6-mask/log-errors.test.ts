import { describe, expect, it } from '@jest/globals';
import { createLogger } from '@meridian/telemetry';

import type { RunError } from '../../../src/operation/run.ts';
import { logErrors } from '../../../src/pipeline/6-mask/log-errors.ts';

/** The logged messages for so many errors from a subgraph, and others after them. */
function logged(count: number, others: readonly RunError[] = []): unknown[] {
  const messages: unknown[] = [];
  const log = createLogger({
    service: 'gateway',
    destination: { write: (line) => void messages.push((JSON.parse(line) as { msg: unknown }).msg) },
  });
  const errors = Array.from({ length: count }, (_, index): RunError => ({
    kind: 'reported',
    subgraph: 'products',
    message: 'not found',
    extensions: {},
    path: ['products', index],
  }));
  logErrors([...errors, ...others], log);
  return messages;
}

describe('The log of execution errors', () => {
  it('has a line for each error', () => {
    expect(logged(50)).toEqual(Array(50).fill('a subgraph reported an error'));
  });

  it('has the first lines of very many errors, and says that there are more', () => {
    expect(logged(10_000)).toEqual([
      ...Array<string>(50).fill('a subgraph reported an error'),
      'subgraphs reported more errors than are logged',
    ]);
  });

  it('has each failed request once, after however many others', () => {
    const failed = (cause: Error, index: number): RunError => ({
      kind: 'subrequest',
      code: 'SUBREQUEST_HTTP_ERROR',
      subgraph: 'reviews',
      cause,
      path: ['products', index, 'reviews'],
    });
    const [one, other] = [new Error('refused'), new Error('reset')];
    const failures = [...Array.from({ length: 100 }, (_, index) => failed(one, index)), failed(other, 100)];
    expect(
      logged(60, failures).filter((message) => message === 'a request to a subgraph failed'),
    ).toHaveLength(2);
  });
});
