// Whatever bytes subgraphs answer with: what is spliced is what is parsed, merged and printed. For as long as it takes,
// and with other cases: `MUTATED_CASES=150000 MUTATED_SEED=any pnpm test:suite
// packages/graph/executor/test/mutated-responses`.
import { describe, expect, it } from '@jest/globals';

import { runMutated } from './run-mutated.ts';

const { MUTATED_SEED: seed = 'every time', MUTATED_CASES: givenCases } = process.env;
const cases = Number(givenCases ?? 2000);

describe('Mutated subgraph responses', () => {
  it(`give the same response from the executor and the reference, and none to another tenant (seed ${seed})`, async () => {
    const report = await runMutated({ seed, cases });
    expect(report.differences).toEqual([]);
    // Cases that never or always use the fast path prove little.
    expect(report.plainCount).toBeGreaterThan(cases / 10);
    expect(report.plainCount).toBeLessThan(cases * 0.9);
    expect(report.otherRequests).toBeLessThan(cases / 50);
  }, 3_600_000);
});
