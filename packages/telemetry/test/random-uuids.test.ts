import { describe, expect, it } from '@jest/globals';

import { createRandomUuids } from '../src/index.ts';

const pattern = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

describe('createRandomUuids', () => {
  it('makes UUIDs of version 4, each a different one, over several batches', () => {
    const next = createRandomUuids();
    const made = Array.from({ length: 1000 }, () => next());
    expect(made.filter((uuid) => !pattern.test(uuid))).toEqual([]);
    expect(new Set(made).size).toBe(made.length);
  });

  it('takes every digit at every other place', () => {
    const next = createRandomUuids();
    const made = Array.from({ length: 1000 }, () => next().replaceAll('-', ''));
    const digitsAt = (place: number): number => new Set(made.map((uuid) => uuid[place])).size;
    const varied = Array.from({ length: 32 }, (_, place) => place).filter((place) => digitsAt(place) === 16);
    expect(varied).toHaveLength(30);
  });
});
