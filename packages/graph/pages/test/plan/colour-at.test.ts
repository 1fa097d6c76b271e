import { describe, expect, it } from '@jest/globals';

import { colourAt } from '../../src/plan/colour-at.ts';

describe('colourAt', () => {
  it('gives subgraphs hues apart', () => {
    const hues = Array.from({ length: 12 }, (_, index) => Number(/\d+/u.exec(colourAt(index))?.[0])).toSorted(
      (one, other) => one - other,
    );
    const gaps = hues.map((hue, index) => (hues[index + 1] ?? (hues[0] ?? 0) + 360) - hue);
    expect(Math.min(...gaps)).toBeGreaterThan(15);
  });
});
