import { describe, expect, it } from '@jest/globals';

import { createProgress } from '../../generate-data/progress.ts';

/** The output of a progress when a quarter is done after 30 seconds, and all of it after two minutes. */
function written(isTTY: boolean): string {
  let text = '';
  const times = [0, 30_000, 120_000];
  const progress = createProgress(
    'reviews',
    { isTTY, write: (part) => (text += part) },
    () => times.shift() ?? 0,
  );
  progress.update(25, 100);
  progress.update(100, 100);
  progress.end();
  return text;
}

describe('createProgress', () => {
  it('moves a bar on a terminal, and estimates the remaining time', () => {
    expect(written(true)).toContain('reviews   [########......................] 25/100  1 min 30 s to go');
  });

  it('writes one line at the end elsewhere', () => {
    expect(written(false)).toBe('reviews   [##############################] 100/100  took 2 min 0 s\n');
  });
});
