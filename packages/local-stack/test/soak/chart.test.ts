import { describe, expect, it } from '@jest/globals';

import { soakChart } from '../../src/soak/chart.ts';
import type { Sample } from '../../src/soak/gateway-watch.ts';

const sample = (atSeconds: number, heapMiB: number): Sample => ({
  atSeconds,
  heapMiB,
  rssMiB: 200,
  sockets: 0,
  openFiles: 30,
});

/** The curves, each as its points. */
function curvesOf(svg: string): number[][][] {
  return [...svg.matchAll(/<polyline points="([^"]*)"/g)].map(([, points = '']) =>
    points.split(' ').map((point) => point.split(',').map(Number)),
  );
}

describe('the chart of a soak run', () => {
  it('has a curve for each thing that is watched, with a point for each sample', () => {
    const curves = curvesOf(soakChart([sample(0, 50), sample(5, 60), sample(10, 55)]));
    expect(curves.map((points) => points.length)).toEqual([3, 3, 3, 3]);
  });

  it('begins at zero: twice as much is twice as high', () => {
    const [heap = []] = curvesOf(soakChart([sample(0, 0), sample(5, 50), sample(10, 100)]));
    const [[, floor = 0] = [], [, half = 0] = [], [, top = 0] = []] = heap;
    expect(floor - top).toBeCloseTo(2 * (floor - half), 0);
    expect(top).toBeLessThan(half);
  });

  it('can be drawn of a run that was stopped at once', () => {
    expect(soakChart([])).not.toMatch(/NaN|Infinity/);
  });
});
