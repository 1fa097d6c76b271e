import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from '@jest/globals';
import { runChecks } from '../../verify/run-checks.ts';

const ignoreOutcome = { atOnce: 2, environment: process.env, onOutcome: () => {} };

describe('runChecks', () => {
  it('passes a check that exits 0 and fails one that does not', async () => {
    const outcomes = await runChecks([node('good', ''), node('bad', 'process.exit(3)')], ignoreOutcome);
    expect(outcomes).toMatchObject([
      { name: 'good', passed: true },
      { name: 'bad', passed: false },
    ]);
  });

  it('fails a check that a signal ends', async () => {
    const outcomes = await runChecks([node('killed', 'process.kill(process.pid, "SIGKILL")')], ignoreOutcome);
    expect(outcomes).toMatchObject([{ passed: false }]);
  });

  it('fails a check whose program does not exist, and says so', async () => {
    const outcomes = await runChecks(
      [{ name: 'gone', command: './no-such-program', arguments: [] }],
      ignoreOutcome,
    );
    expect(outcomes).toMatchObject([
      { passed: false, output: expect.stringContaining('cannot run ./no-such-program') },
    ]);
  });

  it("keeps a check's output on both streams", async () => {
    const [outcome] = await runChecks(
      [node('loud', 'console.log("out"); console.error("err")')],
      ignoreOutcome,
    );
    expect(outcome?.output).toContain('out\n');
    expect(outcome?.output).toContain('err\n');
  });

  it('returns outcomes in the order of the checks, and reports each as it ends', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'meridian-checks-'));
    const mark = join(directory, 'second-has-ended');
    const untilMark = `setInterval(() => require('fs').existsSync(${JSON.stringify(mark)}) && process.exit(), 10)`;
    const ended: string[] = [];
    const outcomes = await runChecks([node('first', untilMark), node('second', '')], {
      ...ignoreOutcome,
      onOutcome: ({ name }) => {
        ended.push(name);
        writeFileSync(mark, '');
      },
    });
    expect(outcomes.map(({ name }) => name)).toEqual(['first', 'second']);
    expect(ended).toEqual(['second', 'first']);
    await rm(directory, { recursive: true });
  });

  it('runs at most as many at once as it may', async () => {
    const ended: string[] = [];
    await runChecks([node('slow', 'setTimeout(() => {}, 300)'), node('quick', '')], {
      ...ignoreOutcome,
      atOnce: 1,
      onOutcome: ({ name }) => ended.push(name),
    });
    expect(ended).toEqual(['slow', 'quick']);
  });

  it('passes the environment on to the programs', async () => {
    const outcomes = await runChecks(
      [node('told', 'process.exit(process.env.GREETING === "hello" ? 0 : 1)')],
      {
        ...ignoreOutcome,
        environment: { GREETING: 'hello' },
      },
    );
    expect(outcomes).toMatchObject([{ passed: true }]);
  });
});

/** A check that runs a line of JavaScript. */
function node(name: string, script: string): { name: string; command: string; arguments: string[] } {
  return { name, command: process.execPath, arguments: ['--eval', script] };
}
