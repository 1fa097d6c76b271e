import { describe, expect, it } from '@jest/globals';

import type { DrawnFetch } from '../src/index.ts';
import { drawPlan, hueAt } from '../src/index.ts';

function fetch(number: number, more: Partial<DrawnFetch> = {}): DrawnFetch {
  return {
    number,
    subgraph: `s${number}`,
    operationKind: 'query',
    fields: ['id', 'name'],
    after: [],
    round: 1,
    ...more,
  };
}

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

function boxesIn(svg: string): readonly Rectangle[] {
  return Array.from(
    svg.matchAll(/<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" rx/gu),
    ([, x, y, width, height]) => ({
      left: Number(x),
      top: Number(y),
      right: Number(x) + Number(width),
      bottom: Number(y) + Number(height),
    }),
  );
}

/** One with two rounds between a fetch and the one that waits for it. */
const long = [
  fetch(1),
  fetch(2, { after: [1], round: 2 }),
  fetch(3, { after: [2], round: 3 }),
  fetch(4, { after: [3, 1], round: 4 }),
];

describe('drawPlan', () => {
  it('puts each round into a column, right of the one before', () => {
    const [first, second, third] = boxesIn(
      drawPlan([fetch(1), fetch(2), fetch(3, { after: [1, 2], round: 2 })]),
    );
    expect(first?.left).toBe(second?.left);
    expect(second?.top).toBeGreaterThan(first?.bottom ?? 0);
    expect(third?.left).toBeGreaterThan(first?.right ?? 0);
  });

  it('leads a line that skips rounds past the boxes between', () => {
    const svg = drawPlan(long);
    const boxes = boxesIn(svg);
    const paths = svg.matchAll(/<path d="(M[^"]+)" fill="none" stroke="currentColor" stroke-opacity=".38"/gu);
    const [skipping = ''] = Array.from(paths, ([, path = '']) => path).toSorted(
      (one, other) => other.length - one.length,
    );
    const straight = Array.from(skipping.matchAll(/([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)/gu), (match) =>
      match.slice(1).map(Number),
    );
    expect(straight).toHaveLength(2);
    for (const [x1 = 0, y = 0, x2 = 0] of straight) {
      const crossed = boxes.filter(
        (box) => box.left < x2 && box.right > x1 && box.top <= y && box.bottom >= y,
      );
      expect(crossed).toEqual([]);
    }
  });

  it('stays within its own size', () => {
    const svg = drawPlan(long);
    const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/u.exec(svg) ?? [];
    for (const { right, bottom } of boxesIn(svg)) {
      expect(right).toBeLessThanOrEqual(Number(width));
      expect(bottom).toBeLessThanOrEqual(Number(height));
    }
  });

  it('says the plan in words', () => {
    expect(drawPlan([fetch(1), fetch(2, { after: [1], round: 2, target: 'products.reviews' })])).toContain(
      'aria-label="Fetch 1: s1. Fetch 2: s2 for products.reviews, after 1"',
    );
    expect(drawPlan([])).toContain('aria-label="Nothing is fetched"');
  });

  it('counts the fields that do not fit', () => {
    const fields = Array.from({ length: 40 }, (_, index) => `someField${index}`);
    const shown = drawPlan([fetch(1, { fields })]).replaceAll(/<title>[^<]*<\/title>/gu, '');
    expect(shown).toMatch(/someField0, .* \+ 3\d more</su);
    expect(shown).not.toContain('someField39');
  });

  it('escapes names, whatever they are', () => {
    const name = '</svg><script>alert("1")</script>&\u0000';
    const svg = drawPlan([fetch(1, { subgraph: name, target: name, lookup: name, fields: [name] })]);
    expect(svg).not.toContain('<script');
    expect(svg).not.toContain('\u0000');
    expect(svg.match(/<\/svg>/gu)).toHaveLength(1);
  });

  it('gives subgraphs hues apart', () => {
    const hues = Array.from({ length: 12 }, (_, index) => hueAt(index)).toSorted((one, other) => one - other);
    const gaps = hues.map((hue, index) => (hues[index + 1] ?? (hues[0] ?? 0) + 360) - hue);
    expect(Math.min(...gaps)).toBeGreaterThan(15);
  });
});
