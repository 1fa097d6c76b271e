import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

const { packages } = parse(readFileSync('pnpm-lock.yaml', 'utf8'));
const names = Object.keys(packages).map((name) => name.replace(/@[^@]*$/u, ''));

// An entry that is missing costs a request to the registry whenever a subgraph is created, and the tool on that system.
describe('pnpm-lock.yaml', () => {
  it.each(['@oxfmt/binding', '@oxlint/binding'])('has %s of each operating system', (binding) => {
    expect(names).toEqual(
      expect.arrayContaining([
        `${binding}-darwin-arm64`,
        `${binding}-darwin-x64`,
        `${binding}-linux-arm64-musl`,
        `${binding}-linux-x64-gnu`,
        `${binding}-win32-x64-msvc`,
      ]),
    );
  });
});
