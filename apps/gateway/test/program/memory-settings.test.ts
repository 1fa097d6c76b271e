import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

import { describe, expect, it } from '@jest/globals';

import { youngGenerationOption } from '../../src/program/memory-settings.ts';

const module = join(import.meta.dirname, '../../src/program/memory-settings.ts');

describe('collectGarbageEarly', () => {
  it('keeps V8 from collecting the whole heap for buffers that are no longer used', async () => {
    // 460 MB of short-lived buffers.
    const countCollections = `
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
    expect(await printed(countCollections)).toBeGreaterThan(2);
    expect(await printed(early + countCollections)).toBeLessThanOrEqual(2);
  });

  it('has V8 free buffers soon that lived for a while', async () => {
    // Each buffer lives while 200 more are made, so that some reach the old generation. 18 MB are in use.
    const meanMegabytes = `
      const { setImmediate } = await import('node:timers/promises');
      const live = [];
      let sum = 0;
      for (let index = 0; index < 20_000; index += 1) {
        live[index % 200] = Buffer.allocUnsafeSlow(92_000);
        if (index % 50 === 0) {
          await setImmediate();
          sum += process.memoryUsage().arrayBuffers;
        }
      }
      console.log(Math.round(sum / 400 / 2 ** 20));
    `;
    // 62 to 65, where V8's own settings have 53 to 144, and mostly above 85.
    expect(await printed(early + meanMegabytes)).toBeLessThan(80);
  });
});

describe('restartWithMemorySettings', () => {
  const restart = `
    (await import(${JSON.stringify(module)})).restartWithMemorySettings();
    console.log(JSON.stringify([process.pid, process.execArgv[0], process.env.MALLOC_ARENA_MAX ?? '']));
  `;
  const settings = async (
    nodeArguments: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly isSameProcess: boolean; readonly rest: unknown }> => {
    const running = promisify(execFile)(process.execPath, [...nodeArguments, '--eval', restart], { env });
    const [pid, ...rest]: readonly unknown[] = JSON.parse((await running).stdout);
    return { isSameProcess: pid === running.child.pid, rest };
  };

  it('starts the process again with the option and the variable, under the same process id', async () => {
    expect(await settings(['--input-type=module'])).toEqual({
      isSameProcess: true,
      rest: [youngGenerationOption, '1'],
    });
  });

  it.each([
    ['as an argument', ['--max-semi-space-size=8', '--input-type=module'], {}],
    [
      'in NODE_OPTIONS',
      ['--no-warnings', '--input-type=module'],
      { NODE_OPTIONS: '--max-semi-space-size=8' },
    ],
  ])('leaves a process alone that has the option %s', async (_where, nodeArguments, env) => {
    expect(await settings(nodeArguments, env)).toEqual({
      isSameProcess: true,
      rest: [nodeArguments[0], ''],
    });
  });

  it('keeps a value of the variable that is set', async () => {
    expect(await settings(['--input-type=module'], { MALLOC_ARENA_MAX: '4' })).toMatchObject({
      rest: [youngGenerationOption, '4'],
    });
  });
});

const early = `(await import(${JSON.stringify(module)})).collectGarbageEarly();`;

/** The number that a script prints. */
async function printed(script: string): Promise<number> {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [
    youngGenerationOption,
    '--input-type=module',
    '--eval',
    script,
  ]);
  expect(stderr).toBe('');
  return Number(stdout);
}
