import { describe, expect, it } from '@jest/globals';

import { difference } from '../../../src/soak/load/difference.ts';
import type { Expected } from '../../../src/soak/load/difference.ts';

const expected: Expected = {
  product: { id: 'p1', rating: (actual) => actual === 4, reviews: [{ body: 'good' }, { body: 'bad' }] },
};
const right = {
  product: { __typename: 'Product', id: 'p1', rating: 4, reviews: [{ body: 'good' }, { body: 'bad' }] },
};

/** The right answer with another product in it. */
function withProduct(members: object) {
  return { product: { ...right.product, ...members } };
}

describe('The difference between an actual and an expected response', () => {
  it('is empty for the expected one, whatever its __typename', () => {
    expect(difference(expected, right, { nullsAllowed: false })).toBeUndefined();
  });

  it.each<[string, unknown, string]>([
    ['another value', withProduct({ id: 'p2' }), 'data.product.id is "p2" instead of "p1"'],
    ['a test that fails', withProduct({ rating: 3 }), 'data.product.rating is 3'],
    ['a list that is too short', withProduct({ reviews: [] }), 'data.product.reviews is not a list of 2: []'],
    [
      'another order',
      withProduct({ reviews: right.product.reviews.toReversed() }),
      'data.product.reviews[0].body is "bad" instead of "good"',
    ],
    ['an unexpected member', withProduct({ secret: 1 }), 'data.product has secret, which was not requested'],
    ['a missing member', { product: { id: 'p1' } }, 'data.product.rating is absent'],
    ['a null', { product: null }, 'data.product is not an object: null'],
  ])('names the place of %s', (_case, actual, text) => {
    expect(difference(expected, actual, { nullsAllowed: false })).toBe(text);
  });

  it('accepts nulls in a partial response, and nothing else', () => {
    const partial = { nullsAllowed: true };
    expect(difference(expected, { product: null }, partial)).toBeUndefined();
    expect(difference(expected, withProduct({ rating: null, reviews: null }), partial)).toBeUndefined();
    expect(difference(expected, withProduct({ rating: null, id: 'p2' }), partial)).toBe(
      'data.product.id is "p2" instead of "p1"',
    );
  });
});
