import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';
import { generatedFiles } from '@meridian/router-config';

describe('The generated files', () => {
  it('are up to date; if not, run `pnpm router-config reference`', () => {
    const stale = Object.entries(generatedFiles).filter(([path, write]) => {
      const kept = readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8');
      return unformatted(path, kept) !== unformatted(path, write());
    });
    expect(stale.map(([path]) => path)).toEqual([]);
  });
});

function unformatted(path: string, text: string): string {
  return path.endsWith('.json') ? JSON.stringify(JSON.parse(text)) : text;
}
