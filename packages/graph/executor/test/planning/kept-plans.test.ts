import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';

import { createExecutor } from '../../src/index.ts';
import { supergraphOf } from '../support/federation.ts';

const supergraph = supergraphOf({ one: 'type Query { ping: Int }' });

describe('The cache of compiled plans', () => {
  /** Some 110 kB by the executor's estimate; nothing of it has to be planned. */
  const large = Array.from({ length: 50 }, (_, index) => `a${index}: __typename`).join(' ');

  it('keeps the most recently used ones within a number of bytes', async () => {
    const transport = { send: () => Promise.reject(new Error('Nothing is sent')) };
    const executor = createExecutor({ supergraph, transport, maxPlanBytes: 250_000 });
    const [first, second, third] = ['A', 'B', 'C'].map((name) =>
      executor.prepare({ document: parse(`query ${name} { ${large} }`, { noLocation: true }) }),
    );

    const plan = await first?.plan({});
    await second?.plan({});
    expect(await first?.plan({})).toBe(plan);
    const forgotten = await second?.plan({});
    await first?.plan({});
    await third?.plan({});

    expect(await first?.plan({})).toBe(plan);
    expect(await second?.plan({})).not.toBe(forgotten);
  });
});
