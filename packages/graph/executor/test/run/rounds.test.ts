import { describe, expect, it } from '@jest/globals';

import { library } from '../support/library.ts';
import { createRoundsRunner } from '../support/run-in-rounds.ts';

const runInRounds = createRoundsRunner(library);

/** Operations, and the subgraphs of each round. */
const operations: readonly (readonly [string, readonly (readonly string[])[]])[] = [
  ['{ books { title } }', [['books']]],
  ['{ books { title } authors { name } featured { title } }', [['authors', 'books', 'reviews']]],
  ['{ books { reviews { stars } } }', [['books'], ['reviews']]],
  ['{ books { reviews { stars } likes } }', [['books'], ['likes', 'reviews']]],
  [
    '{ books { reviews { author { name } } likes } authors { name } }',
    [['authors', 'books'], ['likes', 'reviews'], ['authors']],
  ],
  ['{ books { summary } }', [['books'], ['reviews']]],
  [
    '{ mostLiked { likes ... on Book { title reviews { author { name } } } } books { likes } }',
    [['books', 'likes'], ['books', 'likes'], ['reviews'], ['authors']],
  ],
  [
    '{ featured { book { title likes reviews { author { name } } } } }',
    [['reviews'], ['authors', 'books', 'likes']],
  ],
  ['{ __typename }', []],
];

describe('The executor', () => {
  it.each(operations)('makes one round for each level across subgraphs: %s', async (text, expected) => {
    const { rounds, data } = await runInRounds(text);

    expect(rounds).toEqual(expected);
    expect(data).not.toBeNull();
  });
});
