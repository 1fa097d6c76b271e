import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { keepVerdicts } from '../../regexes/kept-verdicts.ts';
import type { Regex } from '../../regexes/kept-verdicts.ts';

const good: Regex = { pattern: 'a', flags: '' };
const bad: Regex = { pattern: '(a|a)*$', flags: '' };

describe('keepVerdicts', () => {
  let folder: string;
  let analysed: Regex[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'meridian-regexes-'));
    analysed = [];
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const open = () =>
    keepVerdicts(join(folder, 'cache/regexes.json'), (regex) => {
      analysed.push(regex);
      return regex.pattern === bad.pattern ? 'takes exponential time' : undefined;
    });

  it('analyses an expression once, and gives the same verdict in the next run', () => {
    const first = open();
    expect([good, bad, bad, good].map(first.findFault)).toEqual([
      undefined,
      'takes exponential time',
      'takes exponential time',
      undefined,
    ]);
    first.save();
    expect([good, bad].map(open().findFault)).toEqual([undefined, 'takes exponential time']);
    expect(analysed).toEqual([good, bad]);
  });

  it('begins anew where the file is damaged', () => {
    const first = open();
    findAll(first.findFault, bad);
    first.save();
    writeFileSync(join(folder, 'cache/regexes.json'), '{ half of i');
    expect(open().findFault(bad)).toBe('takes exponential time');
  });
});

function findAll(findFault: (regex: Regex) => unknown, ...regexes: readonly Regex[]): void {
  for (const regex of regexes) {
    findFault(regex);
  }
}
