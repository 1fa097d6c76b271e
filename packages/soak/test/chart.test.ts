import { describe, expect, it } from '@jest/globals';

import { soakChart } from '../src/report/chart.ts';
import type { Sample } from '../src/watch/sample.ts';

const sample = (atSeconds: number, heapMiB: number | undefined, codes: readonly string[] = []): Sample => ({
  atSeconds,
  responsesPerSecond: 40,
  p50Ms: 5,
  p99Ms: 50,
  codesPerSecond: new Map(codes.map((code) => [code, 1])),
  held:
    heapMiB === undefined ? undefined : { processStart: 1, heapMiB, rssMiB: 200, sockets: 0, openFiles: 30 },
});

/** The lines of a panel, each as its points; panels follow their titles. */
function linesUnder(title: string, svg: string): number[][][] {
  const [, panel = ''] = svg.split(`>${title}<`);
  const [own = ''] = panel.split('font-weight="bold"');
  return [...own.matchAll(/<polyline points="([^"]*)"/g)].map(([, points = '']) =>
    points.split(' ').map((point) => point.split(',').map(Number)),
  );
}

const heapTitle = 'heap of the gateway after a collection, MiB';
const seven = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];

describe('The chart of a soak run', () => {
  it('has a line for each measured value, with a point for each sample', () => {
    const svg = soakChart({ samples: [sample(0, 50), sample(5, 60), sample(10, 55)], events: [] });
    expect(linesUnder('latency, ms', svg).map((points) => points.length)).toEqual([3, 3]);
    expect(linesUnder(heapTitle, svg).map((points) => points.length)).toEqual([3]);
  });

  it('begins at zero, so that twice the value is twice as high', () => {
    const svg = soakChart({ samples: [sample(0, 0), sample(5, 50), sample(10, 100)], events: [] });
    const [[[, floor = 0] = [], [, half = 0] = [], [, top = 0] = []] = []] = linesUnder(heapTitle, svg);
    expect(floor - top).toBeCloseTo(2 * (floor - half), 0);
    expect(top).toBeLessThan(half);
  });

  it('has a gap while the gateway is away', () => {
    const svg = soakChart({
      samples: [sample(0, 50), sample(5, 50), sample(10, undefined), sample(15, 20), sample(20, 20)],
      events: [],
    });
    expect(linesUnder(heapTitle, svg).map((points) => points.length)).toEqual([2, 2]);
  });

  it('has a labelled vertical line for each event, at its time', () => {
    const events = [
      { name: 'users killed', atSeconds: 5, tookSeconds: 1, fault: undefined },
      { name: 'a < b', atSeconds: 10, tookSeconds: 1, fault: 'did not recover' },
    ];
    const svg = soakChart({ samples: [sample(0, 50), sample(10, 50)], events });
    const [half = 0, end = 0] = [...svg.matchAll(/class="event" d="M([\d.]+) /g)].map(([, x]) => Number(x));
    const [[[start = 0] = []] = []] = linesUnder(heapTitle, svg);
    expect(half - start).toBeCloseTo((end - start) / 2, 0);
    expect(svg).toContain('>users killed<');
    expect(svg).toContain('fill="red">a &lt; b<');
  });

  it('has a line for each error code, six in a panel, and one panel for the errors during outages', () => {
    const svg = soakChart({ samples: [sample(0, 50, seven), sample(5, 50)], events: [] });
    expect(svg.match(/rejections per second, by code/g)).toHaveLength(2);
    expect(linesUnder('errors per second while services are away', svg)).toHaveLength(2);
    for (const code of seven) {
      expect(svg).toContain(`>${code}<`);
    }
  });

  it('can be drawn for a run that was stopped at once', () => {
    expect(soakChart({ samples: [], events: [] })).not.toMatch(/NaN|Infinity/);
  });
});
