import { describe, expect, it } from '@jest/globals';
import { createSampler } from '@meridian/telemetry';

const low = `${'f'.repeat(24)}3fffffff`;
const high = `${'0'.repeat(24)}40000000`;

describe('createSampler', () => {
  it.each([
    [1, [true, true]],
    [0.25, [true, false]],
    [0, [false, false]],
  ])('records the share %d of the traces, by their ids', (ratio, expected) => {
    const sample = createSampler({ ratio, isParentBased: true });
    expect([sample(low, undefined), sample(high, undefined)]).toEqual(expected);
  });

  it("follows the parent's sampling decision", () => {
    const sample = createSampler({ ratio: 0, isParentBased: true });
    expect([sample(low, true), sample(low, false)]).toEqual([true, false]);
  });

  it('decides by itself when it does not follow the parent', () => {
    const sample = createSampler({ ratio: 1, isParentBased: false });
    expect(sample(low, false)).toBe(true);
  });
});
