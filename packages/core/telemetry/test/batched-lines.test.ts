import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import process from 'node:process';

import { describe, expect, it } from '@jest/globals';

import { batchLines } from '../src/batched-lines.ts';

describe('batchLines', () => {
  it('writes the lines of some milliseconds together, in their order', async () => {
    const batches: string[] = [];
    let written = Promise.withResolvers<void>();
    const lines = batchLines((batch) => {
      batches.push(String(batch));
      written.resolve();
    });
    lines.write('1\n');
    lines.write('2\n');
    await written.promise;
    written = Promise.withResolvers();
    lines.write('3\n');
    await written.promise;
    expect(batches).toEqual(['1\n2\n', '3\n']);
  });

  it('writes at once what grows too large for a batch', () => {
    const { lines, batches } = memoryLines();
    const line = `${'x'.repeat(9999)}\n`;
    for (let count = 0; count < 8; count += 1) {
      lines.write(line);
    }
    expect(batches).toEqual([line.repeat(7)]);
    lines.flushSync();
    expect(batches).toEqual([line.repeat(7), line]);
  });

  it.each([
    ['short', 'é€😀 \ud83d'],
    ['as long as a batch takes', '€'.repeat(16_384)],
    ['too long for a batch', '€'.repeat(100_000)],
  ])('writes UTF-8 and keeps the order for a line that is %s', (_what, line) => {
    const { lines, batches } = memoryLines();
    const before = 'x'.repeat(13_000);
    const all = [before, before, before, before, before, line, 'after'];
    all.forEach((each) => lines.write(each));
    lines.flushSync();
    expect(batches.join('')).toBe(String(Buffer.from(all.join(''))));
  });

  it('loses lines, but ends no process, where standard output takes none', () => {
    const program = `
      const { createLogger } = await import('@meridian/telemetry');
      const logger = createLogger({ service: 'test' });
      logger.info('${'x'.repeat(20_000)}');
      logger.info('last');
      process.exitCode = 7;`;
    const unwritable = openSync(import.meta.filename, 'r');
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      cwd: import.meta.dirname,
      stdio: ['ignore', unwritable, 'pipe'],
    });
    closeSync(unwritable);
    expect([status, String(stderr)]).toEqual([7, '']);
  });

  it.each(['process.exit(3)', 'throw new Error("unexpected")', ''])(
    'loses nothing when a process ends by: %s',
    (end) => {
      const program = `
        const { createLogger } = await import('@meridian/telemetry');
        const logger = createLogger({ service: 'test' });
        logger.info({ password: 'hunter2' }, 'first');
        logger.info({ items: ['a', 'b'] }, 'last');
        ${end}
      `;
      const output = outputOf(program);
      expect(output.map((line) => JSON.parse(line))).toEqual([
        expect.objectContaining({ msg: 'first', password: '[redacted]' }),
        expect.objectContaining({ msg: 'last', items: ['a', 'b'] }),
      ]);
    },
  );
});

function memoryLines() {
  const batches: string[] = [];
  return { lines: batchLines((batch) => void batches.push(String(batch))), batches };
}

function outputOf(program: string): string[] {
  const args = ['--input-type=module', '--eval', program];
  try {
    const output = execFileSync(process.execPath, args, {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.trim().split('\n');
  } catch (error) {
    return String(Object(error).stdout).trim().split('\n');
  }
}
