import { describe, expect, it } from '@jest/globals';

import { nameFaults } from '../../prose/name-faults.ts';
import { proseFile } from '../../prose/prose-file.ts';

const namesIn = (source: string): string[] =>
  nameFaults(proseFile('a.ts', source)).map(({ phrase }) => phrase);

describe('nameFaults', () => {
  it.each([
    ['a variable', 'const longestWaitMs = 1;', 'longestWaitMs'],
    ['a variable of a pattern', 'const { at: [first, ...answers] = [] } = value;', 'answers'],
    ['a parameter', 'call((isAsked = false) => isAsked);', 'isAsked'],
    ['a function', 'export function refusalOf() {}', 'refusalOf'],
    ['a caught error', 'try {} catch (refusal) {}', 'refusal'],
    ['a class', 'class UsageQuestion {}', 'UsageQuestion'],
    ['a private member', 'class Usage { #taken = 1; }', 'taken'],
    ['a method', 'class Usage { lend() {} }', 'lend'],
    ['a type', 'type Borrowers = 1;', 'Borrowers'],
    ['a member of a type', 'interface Options { readonly mostBytes: number; }', 'mostBytes'],
    ['a method of a type', 'interface Options { answer(behind: number): void; }', 'answer,behind'],
  ])('refuses %s', (_, source, names) => {
    expect(namesIn(source).join()).toBe(names);
  });

  it('accepts uses, members of objects, and words that only contain one', () => {
    expect(namesIn('answer(request.asked); send({ answer: 1 }); const almostTakenly = 1;')).toEqual([]);
  });
});
