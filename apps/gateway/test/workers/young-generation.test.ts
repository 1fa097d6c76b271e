import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { describe, expect, it } from '@jest/globals';

import { youngGenerationOption } from '../../src/workers/young-generation.ts';

const module = join(import.meta.dirname, '../../src/workers/young-generation.ts');
/** Makes 460 MB of short-lived buffers, and prints the number of collections of the whole heap. */
const makeBuffers = `
  const { PerformanceObserver, constants } = await import('node:perf_hooks');
  const { setImmediate } = await import('node:timers/promises');
  let count = 0;
  new PerformanceObserver((list) => {
    count += list.getEntries().filter(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR).length;
  }).observe({ entryTypes: ['gc'] });
  for (let index = 0; index < 5000; index += 1) {
    Buffer.allocUnsafeSlow(92_000);
    if (index % 50 === 0) {
      await setImmediate();
    }
  }
  await setImmediate();
  console.log(count);
`;

describe('collectBuffersEarly', () => {
  it('keeps V8 from collecting the whole heap for buffers that are no longer used', async () => {
    expect(await countCollections('')).toBeGreaterThan(2);
    const early = `(await import(${JSON.stringify(module)})).collectBuffersEarly();`;
    expect(await countCollections(early)).toBeLessThanOrEqual(1);
  });
});

async function countCollections(before: string): Promise<number> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    youngGenerationOption,
    '--input-type=module',
    '--eval',
    before + makeBuffers,
  ]);
  expect(stderr).toBe('');
  return Number(stdout);
}
