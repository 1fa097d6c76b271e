import { describe, expect, it } from '@jest/globals';
import { buildSchema, parse } from 'graphql';

import { createKnownQueries } from '../../src/server/known-queries.ts';
import type { SubgraphContext } from '../../src/index.ts';

const schema = buildSchema(`
  type Query { box(size: Int): String }
  type Mutation { open: String }
`);
const context = { signal: new AbortController().signal } as SubgraphContext<unknown>;

describe('The known queries', () => {
  it('distinguish operations of one text', async () => {
    const queries = createKnownQueries(schema);
    const text = 'query A { a: box } query B { b: box }';
    for (const name of ['A', 'B']) {
      queries.add(text, name, parse(text));
    }
    expect(await queries.find(text, 'B')?.run({}, context)).toEqual({ data: { b: null } });
    expect(queries.find(text, undefined)).toBeUndefined();
  });

  it('run nothing with variables of the wrong type', async () => {
    const queries = createKnownQueries(schema);
    const text = 'query ($size: Int) { box(size: $size) }';
    queries.add(text, undefined, parse(text));
    const result = await queries.find(text, undefined)?.run({ size: 'x' }, context);
    expect(result).not.toHaveProperty('data');
    expect(result?.errors).toHaveLength(1);
  });

  it.each([
    ['a mutation', 'mutation { open }'],
    ['a text beyond 20 000 characters', `{ box ${' '.repeat(20_000)} }`],
  ])('do not include %s', (_what, text) => {
    const queries = createKnownQueries(schema);
    queries.add(text, undefined, parse(text));
    expect(queries.find(text, undefined)).toBeUndefined();
  });

  it('are the last ones within four million characters', () => {
    const queries = createKnownQueries(schema);
    const textOf = (n: number) => `#${'x'.repeat(15_000)}\nquery N${n} { box }`;
    for (let n = 0; n <= 300; n += 1) {
      queries.add(textOf(n), undefined, parse(textOf(n)));
    }
    expect(queries.find(textOf(0), undefined)).toBeUndefined();
    expect(queries.find(textOf(300), undefined)).toBeDefined();
  });

  it('are the last thousand', () => {
    const queries = createKnownQueries(schema);
    const textOf = (n: number) => `query N${n} { box }`;
    for (let n = 0; n <= 1000; n += 1) {
      queries.add(textOf(n), undefined, parse(textOf(n)));
    }
    expect(queries.find(textOf(0), undefined)).toBeUndefined();
    expect(queries.find(textOf(1), undefined)).toBeDefined();
  });
});
