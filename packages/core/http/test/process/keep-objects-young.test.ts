import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { describe, expect, it } from '@jest/globals';

const module = join(import.meta.dirname, '../../src/process/keep-objects-young.ts');
/** Keeps many objects of one kind, then makes many that are not kept, and prints by how many MB the old space grew. */
const makeObjects = `
  const { getHeapSpaceStatistics } = await import('node:v8');
  const oldMegabytes = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space').space_used_size / 1e6;
  const make = (number) => ({ values: [number, number + 1, number + 2], next: { number, more: [number] } });
  const kept = [];
  for (let number = 0; number < 400_000; number += 1) {
    kept.push(make(number));
  }
  // Other garbage, until all that is kept is old.
  let junk = 0;
  for (let round = 0; round < 1_000_000; round += 1) {
    junk += Buffer.alloc(16).length + new Array(32).fill(round).length;
  }
  const before = oldMegabytes();
  let most = before;
  let sum = 0;
  for (let number = 0; number < 3_000_000; number += 1) {
    sum += make(number).next.number % 2;
    if (number % 50_000 === 0) {
      most = Math.max(most, oldMegabytes());
    }
  }
  console.log(JSON.stringify({ grownBy: most - before, sum, junk, kept: kept.length }));
`;

describe('keepObjectsYoung', () => {
  // Without it V8 makes them there in most runs, but not in each: it decides when it compiles a function.
  it('keeps short-lived objects out of the old space, though earlier ones of their kind lived long', async () => {
    const young = `(await import(${JSON.stringify(module)})).keepObjectsYoung();`;
    expect(await growth(young)).toBeLessThan(1);
  });
});

/** In MB. */
async function growth(before: string): Promise<number> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    '--max-semi-space-size=16',
    '--input-type=module',
    '--eval',
    before + makeObjects,
  ]);
  expect(stderr).toBe('');
  const { grownBy } = JSON.parse(stdout) as { readonly grownBy: number };
  return grownBy;
}
