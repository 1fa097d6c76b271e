import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from '@jest/globals';

import { createScreen } from '../../src/screen/screen.ts';

const entries = [
  { name: 'postgresql', address: '', log: '.data/postgres/postgres.log' },
  { name: 'accounts', address: 'http://127.0.0.1:4001', log: '.data/logs/accounts.log' },
];

/** An output that keeps what was written to it. */
function output(kind: 'terminal' | 'log', columns = 80) {
  const stream = Object.assign(new PassThrough({ encoding: 'utf8' }), {
    isTTY: kind === 'terminal',
    columns,
  });
  return { stream, written: () => String(stream.read() ?? '') };
}

describe('The screen in a log', () => {
  it('shows the start as lines, without colours or cursor movements', () => {
    const { stream, written } = output('log');
    const screen = createScreen(stream, entries);
    screen.health('accounts', { is: 'starting' });
    screen.step('accounts', 'migration 0001-accounts.sql');
    screen.health('accounts', { is: 'ready' });
    screen.finishStart(['Ready']);
    expect(written()).toBe(
      'accounts    starting\naccounts    migration 0001-accounts.sql\naccounts    ready\nReady\n',
    );
  });

  it('shows failures and recoveries after the start, a line each, and nothing else', () => {
    const { stream, written } = output('log');
    const screen = createScreen(stream, entries);
    screen.finishStart([]);
    screen.health('accounts', { is: 'down', how: 'was killed by SIGKILL', nextTryInMs: 500 });
    screen.step('accounts', 'a step');
    screen.health('accounts', { is: 'starting' });
    screen.health('accounts', { is: 'ready' });
    expect(written().replaceAll(/^\d\d:\d\d:\d\d/gmu, 'now')).toBe(
      'now  accounts was killed by SIGKILL; starting it again in 0.5 s. Its log is .data/logs/accounts.log\nnow  accounts is ready again\n',
    );
  });

  it('shows nothing of a stop', () => {
    const { stream, written } = output('log');
    const screen = createScreen(stream, entries);
    screen.beginStop('Stopping');
    screen.health('accounts', { is: 'stopping' });
    screen.health('accounts', { is: 'down', how: 'ended', nextTryInMs: 500 });
    expect(written()).toBe('Stopping\n');
  });
});

describe('The screen on a terminal', () => {
  it('shows the start as a table, and removes it at the end', () => {
    const { stream, written } = output('terminal');
    const screen = createScreen(stream, entries);
    const table = written();
    expect(
      stripVTControlCharacters(table)
        .split('\n')
        .map((line) => line.trimEnd()),
    ).toEqual([
      '',
      '  Meridian is starting',
      '',
      '  ○ postgresql                                      waiting',
      '  ○ accounts    http://127.0.0.1:4001               waiting',
      '',
      '',
    ]);
    screen.finishStart(['Ready']);
    const height = table.split('\n').length - 1;
    expect(written()).toBe(`\u001B[${height}A\u001B[0J\u001B[?25hReady\n`);
  });

  it('never draws a line that is wider than the terminal', () => {
    const { stream, written } = output('terminal', 60);
    const screen = createScreen(stream, entries);
    written();
    screen.step('accounts', 'migration 0001-a-name-that-is-longer-than-the-line.sql');
    screen.finishStart([]);
    const lines = stripVTControlCharacters(written()).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(60);
  });
});
