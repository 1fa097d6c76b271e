import process from 'node:process';

import { describe, expect, it } from '@jest/globals';
import { caseCount } from '@meridian/testing';

import { mutants } from './mutants.ts';
import { runDifferential } from './run-differential.ts';
import { splicingControls, splicingMutants } from './splicing-mutants.ts';

const { DIFFERENTIAL_SEED: givenSeed, DIFFERENTIAL_CASES: givenCases } = process.env;

const planted = [...mutants, ...splicingMutants];

/** Of faults that show in few federations: a seed of which one of the first does. */
const seeds: Readonly<Record<string, string>> = {
  'spliced values come from the next object': 'planted 1',
  'spliced entities are copied to the duplicates of others': 'planted 6',
};

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
  it.each(planted.slice(0, caseCount(planted.length)))(
    'catches the mutant in which %s',
    async (name, createTested) => {
      const seed = seeds[name] ?? 'planted';
      const report = await runDifferential({ seed, cases: 1000, createTested, maxDifferences: 1 });
      expect(report.differences).not.toEqual([]);
    },
    300_000,
  );

  it.each([...splicingControls])(
    'passes the control in which %s',
    async (_name, createTested) => {
      const report = await runDifferential({ seed: 'controls', cases: caseCount(500), createTested });
      expect(report.differences).toEqual([]);
    },
    120_000,
  );
});
