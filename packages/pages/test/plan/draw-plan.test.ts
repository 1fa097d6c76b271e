import { describe, expect, it } from '@jest/globals';

import type { DrawingOptions } from '../../src/plan/draw-plan.ts';
import { drawPlan } from '../../src/plan/draw-plan.ts';
import type { DrawnFetch } from '../../src/plan/drawn-fetch.ts';
import { hueAt } from '../../src/plan/hue-at.ts';

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

function draw(fetches: readonly DrawnFetch[], options: Partial<DrawingOptions> = {}): string {
  return drawPlan(fetches, { hueOf: () => 212, ...options });
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

function overlap(one: Rectangle, other: Rectangle): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

/** One with two rounds between a fetch and the one that waits for it. */
const long = [
  fetch(1),
  fetch(2, { after: [1], round: 2 }),
  fetch(3, { after: [2], round: 3 }),
  fetch(4, { after: [3, 1], round: 4 }),
];

describe('drawPlan', () => {
  it('puts each round into a row, below the one before', () => {
    const [first, second, third] = boxesIn(draw([fetch(1), fetch(2), fetch(3, { after: [1, 2], round: 2 })]));
    expect(first?.top).toBe(second?.top);
    expect(second?.left).toBeGreaterThan(first?.right ?? 0);
    expect(third?.top).toBeGreaterThan(first?.bottom ?? 0);
  });

  it.each([300, 480, 720])('fits the boxes of a round into %d pixels, in rows', (width) => {
    const parallel = Array.from({ length: 7 }, (_, index) => fetch(index + 1));
    const boxes = boxesIn(draw([...parallel, fetch(8, { after: [7], round: 2 })], { width }));
    expect(boxes).toHaveLength(8);
    expect(Math.max(...boxes.map(({ right }) => right))).toBeLessThanOrEqual(width);
    for (const box of boxes) {
      expect(boxes.filter((other) => overlap(box, other))).toEqual([box]);
    }
  });

  it('leads a line that skips rounds past the boxes between', () => {
    const svg = draw(long);
    const boxes = boxesIn(svg);
    const paths = svg.matchAll(/<path d="(M[^"]+)" fill="none" stroke="currentColor" stroke-opacity=".38"/gu);
    const [skipping = ''] = Array.from(paths, ([, path = '']) => path).toSorted(
      (one, other) => other.length - one.length,
    );
    const straight = Array.from(skipping.matchAll(/([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)/gu), (match) =>
      match.slice(1).map(Number),
    );
    expect(straight).toHaveLength(2);
    for (const [x = 0, y1 = 0, , y2 = 0] of straight) {
      const crossed = boxes.filter(
        (box) => box.top < y2 && box.bottom > y1 && box.left <= x && box.right >= x,
      );
      expect(crossed).toEqual([]);
    }
  });

  it('gives a subgraph the hue that it has elsewhere, wherever it is in the plan', () => {
    const hueOf = (subgraph: string): number => ({ s1: 10, s2: 20 })[subgraph] ?? 0;
    const svg = draw([fetch(1, { subgraph: 's2' }), fetch(2, { subgraph: 's1' })], { hueOf });
    expect(Array.from(svg.matchAll(/fill="hsl\((\d+) /gu), ([, hue]) => hue)).toEqual(['20', '10']);
  });

  it('shows the time of each fetch of a run, what was asked for, and a failure', () => {
    const run = new Map([
      [1, { startMs: 1, durationMs: 4.25, outcome: 'ok' }],
      [2, { startMs: 6, durationMs: 348.2, entities: 2, outcome: 'the subgraph did not respond' }],
    ]);
    const svg = draw([fetch(1), fetch(2, { after: [1], round: 2 }), fetch(3, { after: [2], round: 3 })], {
      run,
      width: 240,
    });
    expect(svg).toContain(
      'aria-label="Fetch 1: s1, 4.3 ms. Fetch 2: s2, after 1, 348 ms, 2 entities, the subgraph did not respond. Fetch 3: s3, after 2, not sent"',
    );
    expect(svg).toMatch(/348 ms · 2 entities · the[^<]*…</u);
    expect(draw([fetch(1)])).not.toContain('not sent');
  });

  it('stays within its own size', () => {
    const svg = draw(long);
    const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/u.exec(svg) ?? [];
    for (const { right, bottom } of boxesIn(svg)) {
      expect(right).toBeLessThanOrEqual(Number(width));
      expect(bottom).toBeLessThanOrEqual(Number(height));
    }
  });

  it('says the plan in words', () => {
    expect(draw([fetch(1), fetch(2, { after: [1], round: 2, target: 'products.reviews' })])).toContain(
      'aria-label="Fetch 1: s1. Fetch 2: s2 for products.reviews, after 1"',
    );
    expect(draw([])).toContain('aria-label="Nothing is fetched"');
  });

  it('counts the fields that do not fit', () => {
    const fields = Array.from({ length: 40 }, (_, index) => `someField${index}`);
    const shown = draw([fetch(1, { fields })]).replaceAll(/<title>[^<]*<\/title>/gu, '');
    expect(shown).toMatch(/someField0, .* \+ 3\d more</su);
    expect(shown).not.toContain('someField39');
  });

  it('escapes names, whatever they are', () => {
    const name = '</svg><script>alert("1")</script>&\u0000';
    const svg = draw([fetch(1, { subgraph: name, target: name, lookup: name, fields: [name] })]);
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
