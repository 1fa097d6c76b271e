import { describe, expect, it } from '@jest/globals';

import type { FastPathWatch } from '../../src/index.ts';
import { createExecutor } from '../../src/index.ts';
import { caseCount, createRandom } from '@meridian/testing';
import { runDifferential } from './run-differential.ts';

describe('A generated operation', () => {
  it('gets the same response when the fast path bails out at any subgraph response', async () => {
    const random = createRandom('splicing');
    const choices: boolean[] = [];
    let endedCount = 0;
    const watch: FastPathWatch = {
      mayUseFastPath() {
        choices.push(random.chance(0.8));
        return choices.at(-1) === true;
      },
      onSlowPath: () => void (endedCount += 1),
    };
    const report = await runDifferential({
      seed: 'splicing',
      cases: caseCount(1000),
      createTested: (options) => createExecutor({ ...options, watch }),
      maxDifferences: 100,
    });
    // Another test compares the data with the executor.
    expect(report.differences.filter((text) => text.includes('reference and tested'))).toEqual([]);
    expect(endedCount).toBeGreaterThan(report.cases / 10);
    expect(choices.filter(Boolean).length).toBeGreaterThan(report.cases);
  });
});
