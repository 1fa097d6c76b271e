// The most expensive attacks of `pnpm attacks`, in a process whose CPU time is its own: a ratio of one run
// holds on a busy machine as well.
import { beforeAll, expect, it } from '@jest/globals';

import { useInSuite } from '../support/use-in-suite.ts';
import { attackOpen } from './attacked-process.ts';
import { attacksOn, measure, measureAll, mostExpensive } from './measure-attacks.ts';

const effort = { requests: 3, stalls: 0 };
/** Three requests are few, so one garbage collection is noise; unbounded work costs many times as much. */
const tolerance = 2;

const expensive = [
  'a path of 60 000 slashes',
  'a path of 15 000 times eyJ-',
  '900 000 nested arrays',
  '130 000 members',
  'br that becomes 20 MB',
  'an input object of 24 000 unknown members, texts of 60',
  '1 000 operations over a chain of 1 000 fragments, 48 kB, legal but for its size',
  '2 990 times the same field with one below it',
  '1 100 fragments in one selection',
  'a subgraph answers entities with 100 000 errors without a path',
  'a subgraph answers root with a message of 200 kB of eyJ-',
];

const target = useInSuite(attackOpen);
let legalMs: number;

beforeAll(async () => {
  legalMs = mostExpensive(await measureAll(target, target.legal, effort));
}, 120_000);

it.each(expensive)(
  'An attack costs the gateway no more CPU than a large legal operation: %s',
  async (name) => {
    const attack = attacksOn(target).find((candidate) => candidate.name === name);
    if (attack === undefined) {
      throw new Error(`there is no attack named ${name}`);
    }
    const { cpuMs } = await measure(target, attack, effort);
    expect(cpuMs / legalMs).toBeLessThan(tolerance);
  },
  60_000,
);
