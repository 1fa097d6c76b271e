import process from 'node:process';

import { describe, expect, it } from '@jest/globals';
import { caseCount } from '@meridian/testing';

import { compareHeads } from './compare-heads.ts';
import { compareServers } from './compare-servers.ts';

const { FAST_PATH_SEED: givenSeed, FAST_PATH_CASES: givenCases } = process.env;

// The same cases every time. For others: FAST_PATH_SEED=any FAST_PATH_CASES=100000 pnpm test:suite fast-path/differential
const seed = givenSeed ?? 'every time';
const cases = Number(givenCases ?? caseCount(2000));

describe('A generated client', () => {
  it(`gets the same from a server with the fast path as from one without (seed ${seed})`, async () => {
    const report = await compareServers({ seed, connections: cases });
    expect(report.differences).toEqual([]);
    // Connections that prove little: most are served fast at first, and few are held.
    expect(report.servedFast).toBeGreaterThan(report.connections / 4);
    expect(report.held).toBeLessThanOrEqual(report.connections / 100);
  }, 3_600_000);
});

describe('A generated client over TLS', () => {
  it(`gets the same as from a server without TLS and without the fast path (seed ${seed})`, async () => {
    const report = await compareServers({ seed, connections: Math.ceil(cases / 4), path: 'tls' });
    expect(report.differences).toEqual([]);
    expect(report.servedFast).toBeGreaterThan(report.connections / 4);
  }, 3_600_000);
});

describe('readPlainHead', () => {
  it(`reads a generated head as Node does, or leaves it to Node (seed ${seed})`, async () => {
    const report = await compareHeads({ seed, heads: 5 * cases });
    expect(report.differences).toEqual([]);
    expect(report.plain).toBeGreaterThan(report.heads / 4);
    expect(report.plain).toBeLessThan((report.heads * 3) / 4);
  }, 3_600_000);
});
