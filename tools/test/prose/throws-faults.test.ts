import { describe, expect, it } from '@jest/globals';

import { proseFile } from '../../prose/prose-file.ts';
import { throwsFaults } from '../../prose/throws-faults.ts';

const faultsIn = (source: string) =>
  throwsFaults(proseFile('read.ts', source)).map(({ line, phrase }) => `${line}: ${phrase}`);

describe('throwsFaults', () => {
  it('refuses "Throws" in a sentence of a docstring, wherever the sentence starts', () => {
    expect(faultsIn('/** Throws `bad`. */\nexport const one = 1;')).toEqual(['1: Throws']);
    expect(faultsIn('/** Reads it. Throws `bad`. */\nexport const one = 1;')).toEqual(['1: Throws']);
    expect(faultsIn('/**\n * Reads it.\n * Throws `bad`.\n */\nexport const one = 1;')).toEqual([
      '3: Throws',
    ]);
  });

  it('refuses @throws without a type', () => {
    expect(faultsIn('/** @throws when it is bad */\nexport function read() {}')).toEqual(['1: @throws']);
  });

  it('asks for @throws above an exported function that throws an error of a class of its own', () => {
    const body = '(text: string) {\n  if (text === "") {\n    throw new SyntaxError("empty");\n  }\n}';
    expect(faultsIn(`export function read${body}`)).toEqual(['1: read throws SyntaxError']);
    expect(faultsIn(`/** Reads it. */\nexport async function read${body}`)).toEqual([
      '2: read throws SyntaxError',
    ]);
    expect(faultsIn('export function read() {\n  throw problem("bad");\n}')).toEqual([
      '1: read throws problem',
    ]);
    expect(faultsIn(`/** @throws {SyntaxError} */\nexport function read${body}`)).toEqual([]);
    expect(faultsIn(`function read${body}`)).toEqual([]);
  });

  it('asks for nothing where a bug is thrown, an error is passed on, or a function inside throws', () => {
    expect(faultsIn('export function read() {\n  throw new Error("cannot be");\n}')).toEqual([]);
    expect(faultsIn('export function read() {\n  try {} catch (error) {\n    throw error;\n  }\n}')).toEqual(
      [],
    );
    expect(
      faultsIn('export function read() {\n  return () => {\n    throw problem("bad");\n  };\n}'),
    ).toEqual([]);
  });
});
