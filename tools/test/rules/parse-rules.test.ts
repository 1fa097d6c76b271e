import { describe, expect, it } from '@jest/globals';
import { parseRuleIds, parseRules } from '../../rules/parse-rules.ts';

describe('parseRules', () => {
  it('reads a row: section, id, rule, files, tests', () => {
    const markdown = [
      '## GET /accounts/:id',
      '',
      '| id | rule | where | test |',
      '|---|---|---|---|',
      '| `get-account.304` | `ETag` equal: 304 | [a.ts](../apps/a.ts), [b.ts](../packages/b.ts) | [a.test.ts](../apps/test/a.test.ts) › answers 304<br>[b.test.ts](../packages/test/b.test.ts) › a › b |',
    ].join('\n');
    expect(parseRules(markdown)).toEqual([
      {
        section: 'GET /accounts/:id',
        id: 'get-account.304',
        text: '`ETag` equal: 304',
        files: ['apps/a.ts', 'packages/b.ts'],
        tests: [
          { file: 'apps/test/a.test.ts', name: 'answers 304' },
          { file: 'packages/test/b.test.ts', name: 'a › b' },
        ],
        state: 'tested',
      },
    ]);
  });

  it.each([
    ['not yet', 'not yet'],
    ['left open', 'left open'],
    ['', 'unclear'],
    ['later', 'unclear'],
    ['[a.test.ts](../apps/test/a.test.ts)', 'unclear'],
    ['[a.test.ts](../apps/test/a.test.ts) › answers<br>and more', 'unclear'],
  ])('reads %j in the last cell as %s', (cell, state) => {
    expect(parseRules(`| \`a.1\` | rule | – | ${cell} |`)).toMatchObject([{ state }]);
  });

  it('keeps an escaped bar as text', () => {
    expect(parseRules('| `a.1` | `string\\|null` | – | not yet |')).toMatchObject([
      { text: '`string|null`' },
    ]);
  });

  it('skips prose, headers and tables of another shape', () => {
    expect(
      parseRules('# Rules\ntext | text\n| `kind` | meaning |\n|---|---|\n| id | rule | where | test |'),
    ).toEqual([]);
  });
});

describe('parseRuleIds', () => {
  it('returns section and id of each line, without comments and blank lines', () => {
    expect(parseRuleIds('# The rows.\n\n## Reads\nreads.1\nreads.2\n\n## Writes\nwrites.1\n')).toEqual([
      'Reads › reads.1',
      'Reads › reads.2',
      'Writes › writes.1',
    ]);
  });
});
