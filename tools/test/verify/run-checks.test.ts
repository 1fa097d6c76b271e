import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from '@jest/globals';
import { runChecks } from '../../verify/run-checks.ts';
import type { Check } from '../../verify/run-checks.ts';

const ignore = (): void => undefined;

describe('runChecks', () => {
  it('passes a check that exits 0 and fails one that does not', async () => {
    const outcomes = await runChecks([node('good', ''), node('bad', 'process.exit(3)')], 2, ignore);
    expect(outcomes).toMatchObject([
      { name: 'good', passed: true },
      { name: 'bad', passed: false },
    ]);
  });

  it('fails a check that a signal ends', async () => {
    const outcomes = await runChecks([node('killed', 'process.kill(process.pid, "SIGKILL")')], 2, ignore);
    expect(outcomes).toMatchObject([{ passed: false }]);
  });

  it('fails a check whose program does not exist, and says so', async () => {
    const outcomes = await runChecks([{ name: 'gone', command: ['./no-such-program'] }], 2, ignore);
    expect(outcomes).toMatchObject([
      { passed: false, output: expect.stringContaining('cannot run ./no-such-program') },
    ]);
  });

  it("keeps a check's output on both streams", async () => {
    const [outcome] = await runChecks([node('loud', 'console.log("out"); console.error("err")')], 2, ignore);
    expect(outcome?.output).toContain('out\n');
    expect(outcome?.output).toContain('err\n');
  });

  it('returns outcomes in the order of the checks, and reports each as it ends', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'meridian-checks-'));
    const mark = join(directory, 'second-has-ended');
    const untilMark = `setInterval(() => require('fs').existsSync(${JSON.stringify(mark)}) && process.exit(), 10)`;
    const ended: string[] = [];
    const outcomes = await runChecks([node('first', untilMark), node('second', '')], 2, ({ name }) => {
      ended.push(name);
      writeFileSync(mark, '');
    });
    expect(outcomes.map(({ name }) => name)).toEqual(['first', 'second']);
    expect(ended).toEqual(['second', 'first']);
    await rm(directory, { recursive: true });
  });

  it('runs at most as many at once as it may', async () => {
    const ended: string[] = [];
    await runChecks([node('slow', 'setTimeout(() => {}, 300)'), node('quick', '')], 1, ({ name }) =>
      ended.push(name),
    );
    expect(ended).toEqual(['slow', 'quick']);
  });
});

/** A check that runs a line of JavaScript. */
function node(name: string, script: string): Check {
  return { name, command: [process.execPath, '--eval', script] };
}
