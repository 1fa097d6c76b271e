// Files of a pull request that are small, and would take for ever: each ends in one line, or counts for nothing.
import { CommandError } from '@meridian/settings/command-line';
import { parseSupergraphConfig } from '@meridian/composition';
import { describe, expect, it } from '@jest/globals';

import { readApprovals } from '../../src/approvals.ts';
import { readCodeOwners } from '../../src/read/code-owners.ts';
import { readRules } from '../../src/rules/rules.ts';

const tenfold = (index: number): string =>
  `a${index + 1}: &a${index + 1} [${Array.from({ length: 10 }, () => `*a${index}`).join(',')}]`;
const bomb = `a0: &a0 [x]\n${[...Array(9).keys()].map(tenfold).join('\n')}`;
const alternatives = '{a,b}'.repeat(20);

describe('A hostile file', () => {
  it.each([
    ['schema-check.yaml', () => readRules(bomb)],
    ['schema-check.yaml', () => readRules('fail_on: *nowhere')],
    ['schema-check.yaml', () => readRules(`manifests: [{ path: "${alternatives}" }]`)],
    ['schema-check.yaml', () => readRules('manifests: [{ path: "+(+(a|aa)|aaa)" }]')],
    ['schema-approvals.yaml', () => readApprovals(bomb)],
    ['supergraph.yaml', () => parseSupergraphConfig('supergraph.yaml', () => bomb)],
  ])('ends in one line: %s %#', (_file, read) => {
    expect(read).toThrow(CommandError);
    expect(read).toThrow(/^Cannot read [^\n]+$/);
  });

  it('is read in CODEOWNERS, where braces are letters', () => {
    const ownersOf = readCodeOwners(`${alternatives} @all\n/apps/{x} @braces\n+(a|aa) @plus\n`);
    expect(['apps/{x}/a.ts', 'apps/x', alternatives].map(ownersOf)).toEqual([['@braces'], [], ['@all']]);
  });
});
