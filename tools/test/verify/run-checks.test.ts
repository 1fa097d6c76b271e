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
  it('passes a check that exits 0, and fails and prints any other', async () => {
    const outcomes = await runChecks(
      [
        node('good', ''),
        node('bad', 'console.log("out"); console.error("err"); process.exit(3)'),
        node('killed', 'process.kill(process.pid, "SIGKILL")'),
      ],
      2,
      ignore,
    );
    expect(outcomes).toMatchObject([
      { name: 'good', passed: true },
      { name: 'bad', passed: false, output: 'out\nerr\n' },
      { name: 'killed', passed: false },
    ]);
  });

  it('fails a check whose program does not exist, and says so', async () => {
    const outcomes = await runChecks([{ name: 'gone', command: ['./no-such-program'] }], 2, ignore);
    expect(outcomes).toMatchObject([
      { passed: false, output: expect.stringContaining('cannot run ./no-such-program') },
    ]);
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
});

/** A check that runs a line of JavaScript. */
function node(name: string, script: string): Check {
  return { name, command: [process.execPath, '--eval', script] };
}
