import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from '@jest/globals';

const program = fileURLToPath(new URL('./support/greet.ts', import.meta.url));

function greet(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  return { exitCode: status, stdout, stderr };
}

/** Greets with a standard output that is closed after its first line. */
async function greetWithoutReader(...args: readonly string[]) {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  const errors = text(child.stderr);
  await once(child.stdout, 'data');
  child.stdout.destroy();
  await closed;
  return { exitCode: child.exitCode, stderr: await errors };
}

describe('runCommand', () => {
  it('runs the call that the words make', () => {
    expect(greet('Ada', '--times', '2')).toEqual({
      exitCode: 0,
      stdout: 'Hello Ada. Hello Ada.\n',
      stderr: '',
    });
  });

  it('skips the dashes that npm adds before the words', () => {
    expect(greet('--', 'Ada')).toMatchObject({ exitCode: 0, stdout: 'Hello Ada.\n' });
  });

  it.each([[['--help']], [['-h']], [['Ada', '--nonsense', '--help']]])(
    'prints the help for %j, to standard output',
    (args) => {
      const help = 'Usage: pnpm greet <name> [flags]\n\n  --times <n>  how often (1)\n';
      expect(greet(...args)).toEqual({ exitCode: 0, stdout: help, stderr: '' });
    },
  );

  it.each([
    ['an unknown flag', ['Ada', '--nonsense'], "Unknown option '--nonsense'"],
    ['a flag without its value', ['Ada', '--times'], "Option '--times <value>' argument missing"],
    ['a flag for a value', ['Ada', '--times', '--times'], "Option '--times' argument is ambiguous"],
    ['a word too few', [], '<name> is missing'],
    ['a word too many', ['Ada', 'Bob'], "Unexpected argument 'Bob'"],
    ['a text for a number', ['Ada', '--times', 'x'], '--times is "x"; it takes a whole number from 1 to 3'],
    [
      'a number out of bounds',
      ['Ada', '--times', '4'],
      '--times is "4"; it takes a whole number from 1 to 3',
    ],
  ])('exits 2 with a line for %s', (_fault, args, line) => {
    expect(greet(...args)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `${line}: see pnpm greet --help\n`,
    });
  });

  it.each([
    ['nobody', 'Nobody is there\n'],
    ['wall', 'It does not answer\n'],
  ])('exits 1 with a line for an expected failure: %s', (name, line) => {
    expect(greet(name)).toEqual({ exitCode: 1, stdout: '', stderr: line });
  });

  it.each([
    ['crowd', 0, 'All are greeted\n'],
    ['rude crowd', 1, 'All are greeted\nNone of them greets back\n'],
  ])('runs to its end when the reader closes the pipe: %s', async (name, exitCode, stderr) => {
    expect(await greetWithoutReader(name)).toEqual({ exitCode, stderr });
  });

  it('fails for output that cannot be written for another reason', () => {
    const readOnly = openSync(program, 'r');
    const { status, stderr } = spawnSync(process.execPath, [program, 'Ada'], {
      encoding: 'utf8',
      stdio: ['ignore', readOnly, 'pipe'],
    });
    closeSync(readOnly);
    expect(status).toBe(1);
    expect(stderr).toContain('EBADF');
  });

  it('shows the stack of a bug', () => {
    const { exitCode, stderr } = greet('bug');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/TypeError: A bug\n {4}at /);
  });
});
