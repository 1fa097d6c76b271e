import { describe, expect, it } from '@jest/globals';

import { proseFaults } from '../../prose/prose-faults.ts';
import { proseFile } from '../../prose/prose-file.ts';

/** Sentences with one phrase each, in the order of the table. */
const sentences = [
  ['Refuses whoever has no token.', 'whoever'],
  ['A client that is told to wait.', 'is told'],
  ['A value that is no number.', 'is no n'],
  ['A header behind the last one.', 'behind the last'],
] as const;

describe('proseFaults', () => {
  it.each(sentences)('refuses in a document: %s', (sentence, phrase) => {
    const faults = proseFaults(proseFile('docs/a.md', `# A page\n\n${sentence}\n`));
    expect(faults.map((fault) => fault.phrase)).toContain(phrase);
    expect(faults[0]).toMatchObject({ path: 'docs/a.md', line: 3 });
  });

  it.each([
    ['a line comment', '\n// Refuses whoever comes.'],
    ['a block comment', '/**\n * Refuses whoever comes. */'],
    ['a string', "\nthrow new Error('refuses whoever comes');"],
    ['a template', '\nlog(`refuses ${name}, whoever comes`);'],
    ['the text of a page', '\nconst page = <p>Refuses whoever comes.</p>;'],
  ])('refuses a phrase in %s', (_, source) => {
    expect(proseFaults(proseFile('apps/a/src/a.tsx', source))).toEqual([
      expect.objectContaining({ line: 2, phrase: 'whoever' }),
    ]);
  });

  it('refuses a phrase that goes on in the next line of a comment', () => {
    const source = 'const a = 1;\n/**\n * A caller is\n * told.\n */\n// And is\n// told.\n';
    expect(proseFaults(proseFile('a.ts', source))).toMatchObject([
      { line: 3, phrase: 'is told' },
      { line: 6, phrase: 'is told' },
    ]);
  });

  it('does not look at names in code, nor across code', () => {
    const source = 'const whoever = dear; // it is\ncall();\n// told\n';
    expect(proseFaults(proseFile('a.ts', source))).toEqual([]);
  });

  it.each([
    'There is no other.',
    'It is no longer valid.',
    'Behind a load balancer.',
    'Nobody is refused.',
    'Told.',
  ])('accepts: %s', (sentence) => {
    expect(proseFaults(proseFile('a.md', sentence))).toEqual([]);
  });

  it.each(['What', 'Whether', 'How', 'Who', 'Whose', 'One that'])(
    'refuses a comment that opens with %s',
    (word) => {
      const comments = `/** ${word} is here. */\n/**\n * ${word} is here.\n */\n// ${word} is here.\n`;
      expect(proseFaults(proseFile('a.ts', comments)).map(({ line }) => line)).toEqual([1, 3, 5]);
    },
  );

  it('accepts a second line of a comment that begins with What', () => {
    expect(proseFaults(proseFile('a.ts', '// Says\n// What is here.\n'))).toEqual([]);
  });

  it('refuses a full test name that starts in the middle of a sentence, in any form of describe and it', () => {
    const source = [
      "describe('the gateway', () => it('is one name', check));",
      "it('is ready', check);",
      "it.each([['a', 'of b']])('with %s', check);",
      'describe.each`a`(`the ${name}`, block);',
      "test.skip('a name ' + 'of two lines', check);",
    ].join('\n');
    expect(proseFaults(proseFile('a.test.ts', source)).map(({ line, phrase }) => [line, phrase])).toEqual([
      [1, 'the'],
      [2, 'is'],
      [3, 'with'],
      [4, 'the'],
      [5, 'a'],
    ]);
    expect(proseFaults(proseFile('a.ts', source))).toEqual([]);
  });

  it.each(['The gateway', 'readConfig', 'GET /accounts', 'docs/a.md', '%s'])(
    'accepts a full test name that starts with %s',
    (subject) => {
      expect(
        proseFaults(proseFile('a.test.ts', `describe('${subject}', () => it('is ready', check));`)),
      ).toEqual([]);
    },
  );

  it('accepts an allowed phrase in its file, and in no other', () => {
    const allowed = [{ path: 'a.md', text: 'dear', reason: 'a letter' }];
    expect(proseFaults(proseFile('a.md', 'dear reader'), allowed)).toEqual([]);
    expect(proseFaults(proseFile('b.md', 'dear reader'), allowed)).toHaveLength(1);
  });
});
