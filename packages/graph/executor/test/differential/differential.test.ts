import process from 'node:process';

import { describe, expect, it } from '@jest/globals';
import { caseCount } from '@meridian/testing';

import { mutants } from './mutants.ts';
import { runDifferential } from './run-differential.ts';

const { DIFFERENTIAL_SEED: givenSeed, DIFFERENTIAL_CASES: givenCases } = process.env;

describe('A generated federation', () => {
  // The same cases every time: a change is judged by what it changes. `pnpm differential` looks for new ones.
  const seed = givenSeed ?? 'every time';

  it(`gets the same responses from the executor, the reference, the data and stock Apollo (seed ${seed})`, async () => {
    const report = await runDifferential({ seed, cases: Number(givenCases ?? 1000) });
    // A difference starts with the seed of its federation and operation.
    expect(report.differences).toEqual([]);
    expect(report.stockRuns).toBeGreaterThan(0);
    // Missing responses prove nothing.
    expect(report.knownFaults.get('refused') ?? 0).toBeLessThan(report.cases / 100);
  }, 900_000);
});

describe('The differential test', () => {
  it.each([...mutants].slice(0, caseCount(mutants.size)))(
    'catches the mutant in which %s',
    async (_name, createTested) => {
      const report = await runDifferential({ seed: 'planted', cases: 1000, createTested, maxDifferences: 1 });
      expect(report.differences).not.toEqual([]);
    },
    300_000,
  );
});
