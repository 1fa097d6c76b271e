import process from 'node:process';

import { describe, expect, it } from '@jest/globals';
import { caseCount } from '@meridian/testing';

import { deferredMutants } from './deferred-mutants.ts';
import { runDeferredDifferential } from './run-deferred-differential.ts';

const { DIFFERENTIAL_SEED: givenSeed, DIFFERENTIAL_CASES: givenCases } = process.env;

describe('A generated operation with @defer', () => {
  const seed = givenSeed ?? 'deferred every time';

  it(`gets, in parts, the same response as without it (seed ${seed})`, async () => {
    const cases = Number(givenCases ?? 400);
    const { differences, exercised } = await runDeferredDifferential({ seed, cases });
    expect(differences).toEqual([]);
    // Nothing is compared where nothing is deferred.
    expect(exercised.get('results in parts')).toBeGreaterThan(cases / 5);
    expect(exercised.get('nested fragments')).toBeGreaterThan(0);
    expect(exercised.get('comparisons with graphql-js 17')).toBeGreaterThan(0);
  }, 900_000);
});

describe('The comparison of parts', () => {
  it.each(deferredMutants.slice(0, caseCount(deferredMutants.length)))(
    'catches the mutant in which %s',
    async (_name, createTested) => {
      const report = await runDeferredDifferential({
        seed: 'mutants',
        cases: 400,
        createTested,
        maxDifferences: 1,
      });
      expect(report.differences).not.toEqual([]);
    },
    300_000,
  );
});
