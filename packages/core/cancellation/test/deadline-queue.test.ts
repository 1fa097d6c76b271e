import { execFile } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { describe, expect, it } from '@jest/globals';

import { DeadlineQueue } from '../src/index.ts';

describe('A deadline', () => {
  it('passes after its time, in the order of the starts, and once', async () => {
    const queue = new DeadlineQueue(10, { keepsProcess: true });
    const passed: string[] = [];
    const last = Promise.withResolvers<void>();
    queue.start(() => passed.push('first'));
    queue.start(() => passed.push('second'));
    queue.start(() => last.resolve());
    await last.promise;
    expect(passed).toEqual(['first', 'second']);
  });

  it('does not pass before its time', async () => {
    const queue = new DeadlineQueue(30, { keepsProcess: true });
    const startedMs = performance.now();
    await new Promise<void>((resolve) => queue.start(resolve));
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(30);
  });

  it.each(['first', 'second', 'third'])('does not pass once it has ended: the %s of three', async (ended) => {
    const queue = new DeadlineQueue(5, { keepsProcess: true });
    const passed: string[] = [];
    const names = ['first', 'second', 'third'];
    const deadlines = names.map((name) => queue.start(() => passed.push(name)));
    const chosen = deadlines[names.indexOf(ended)];
    if (chosen !== undefined) {
      queue.end(chosen);
      queue.end(chosen);
    }
    await new Promise<void>((resolve) => queue.start(resolve));
    expect(passed).toEqual(names.filter((name) => name !== ended));
  });

  it('may be started and ended by one that passes', async () => {
    const queue = new DeadlineQueue(5, { keepsProcess: true });
    const passed: string[] = [];
    const last = Promise.withResolvers<void>();
    queue.start(() => {
      queue.end(second);
      queue.start(() => last.resolve());
    });
    const second = queue.start(() => passed.push('second'));
    await last.promise;
    expect(passed).toEqual([]);
  });

  it('passes after a time without any', async () => {
    const queue = new DeadlineQueue(5, { keepsProcess: true });
    queue.end(queue.start(() => {}));
    await delay(10);
    const passed = new Promise<string>((resolve) => queue.start(() => resolve('later')));
    expect(await passed).toBe('later');
  });

  it('that has passed leaves later ones as they are when it is ended', async () => {
    const queue = new DeadlineQueue(5, { keepsProcess: true });
    const first = Promise.withResolvers<void>();
    const passed = queue.start(() => first.resolve());
    await first.promise;
    const second = new Promise<string>((resolve) => queue.start(() => resolve('second')));
    queue.end(passed);
    expect(await second).toBe('second');
  });
});

describe('A process', () => {
  it.each([
    [
      'goes on until a deadline that keeps it passes',
      true,
      "queue.start(() => console.log('passed'));",
      'passed\n',
    ],
    ['ends before a deadline that does not keep it', false, "queue.start(() => console.log('passed'));", ''],
    [
      'ends once the only deadline has ended, though others came before',
      true,
      "queue.end(queue.start(() => {})); queue.end(queue.start(() => console.log('passed')));",
      '',
    ],
    [
      'goes on for a deadline after a time without any',
      true,
      "queue.end(queue.start(() => {})); queue.start(() => console.log('passed'));",
      'passed\n',
    ],
  ])('%s', async (_name, keepsProcess, body, printed) => {
    const module = JSON.stringify(join(import.meta.dirname, '../src/deadline-queue.ts'));
    const program = [
      '--input-type=module',
      '--eval',
      `const { DeadlineQueue } = await import(${module});
       const queue = new DeadlineQueue(${printed === '' ? 60_000 : 50}, { keepsProcess: ${keepsProcess} });
       ${body}`,
    ];
    // A process that waits for its minute is killed, which rejects.
    const { stdout } = await promisify(execFile)(process.execPath, program, { timeout: 30_000 });
    expect(stdout).toBe(printed);
  });
});
