import { describe, expect, it } from '@jest/globals';

import { testNames, withoutExpressions } from '../../rules/check-rules.ts';

describe('testNames', () => {
  it('gives the name of a test outside any block', () => {
    expect(testNames("it('answers 304', () => {}); test(\"it's there\", () => {});")).toEqual(
      new Set(['answers 304', "it's there"]),
    );
  });

  it('puts the titles of the blocks around a test before its own, as jest prints it', () => {
    const source =
      "describe('GET', () => { describe('/accounts', () => { it('answers 200', async () => {}); }); });";
    expect(testNames(source)).toEqual(new Set(['GET /accounts answers 200']));
  });

  it('knows tables and concurrent tests', () => {
    const source =
      "it.each([[1, 2]])('takes %i', () => {}); it.concurrent('at once', async () => {}); it.each`a\n${1}`('has $a', () => {});";
    expect(testNames(source)).toEqual(new Set(['takes %i', 'at once', 'has $a']));
  });

  it('leaves ${…} of an expression in a name', () => {
    expect(testNames('for (const s of [1]) it(`answers ${s} with ${s + 1} fields`, () => {});')).toEqual(
      new Set([withoutExpressions('answers ${status} with ${count} fields')]),
    );
  });

  it('joins a name written over two lines', () => {
    expect(testNames("it('answers ' +\n 'late', () => {});")).toEqual(new Set(['answers late']));
  });

  it.each([
    ['a skipped test', "it.skip('answers', () => {});"],
    ['an xit', "xit('answers', () => {});"],
    ['a to-do', "it.todo('answers');"],
    ['a test in a skipped block', "describe.skip('GET', () => { it('answers', () => {}); });"],
    ['a comment', "// it('answers', () => {})"],
    ['a string', 'const name = "it(\'answers\', …)";'],
    ['another function', "submit('answers', () => {});"],
  ])('does not count %s', (_, source) => {
    expect(testNames(source)).toEqual(new Set());
  });
});
