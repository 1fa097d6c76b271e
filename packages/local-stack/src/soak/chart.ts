import type { Sample } from './gateway-watch.ts';

/** One curve over time, with a scale of its own. */
interface Panel {
  readonly title: string;
  readonly valueOf: (sample: Sample) => number;
}

const panels: readonly Panel[] = [
  { title: 'heap, MiB', valueOf: ({ heapMiB }) => heapMiB },
  { title: 'resident memory, MiB', valueOf: ({ rssMiB }) => rssMiB },
  { title: 'sockets', valueOf: ({ sockets }) => sockets },
  { title: 'open files', valueOf: ({ openFiles }) => openFiles },
];

const width = 800;
const panelHeight = 150;
/** Around a curve: its title above, the scale to its left. */
const margin = { top: 30, right: 20, bottom: 20, left: 60 };

/** Draws what the gateway held during a run, from zero, as an SVG document: what is flat there did not grow. */
export function soakChart(samples: readonly Sample[]): string {
  const height = panels.length * panelHeight;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="white"/>`,
    ...panels.flatMap((panel, index) => drawn(panel, samples, index * panelHeight)),
    '</svg>',
    '',
  ].join('\n');
}

function drawn({ title, valueOf }: Panel, samples: readonly Sample[], top: number): string[] {
  const lastSeconds = Math.max(1, ...samples.map(({ atSeconds }) => atSeconds));
  const highest = Math.max(1, ...samples.map(valueOf));
  const floor = top + panelHeight - margin.bottom;
  const ceiling = top + margin.top;
  const xOf = (seconds: number): number =>
    margin.left + (seconds / lastSeconds) * (width - margin.left - margin.right);
  const yOf = (value: number): number => floor - (value / highest) * (floor - ceiling);
  const points = samples.map(
    (sample) => `${xOf(sample.atSeconds).toFixed(1)},${yOf(valueOf(sample)).toFixed(1)}`,
  );
  return [
    `<text x="${margin.left}" y="${top + 20}" font-weight="bold">${title}</text>`,
    `<path d="M${margin.left} ${ceiling}V${floor}H${width - margin.right}" fill="none" stroke="gray"/>`,
    `<text x="${margin.left - 5}" y="${ceiling + 4}" text-anchor="end">${highest.toFixed(0)}</text>`,
    `<text x="${margin.left - 5}" y="${floor + 4}" text-anchor="end">0</text>`,
    `<text x="${width - margin.right}" y="${floor + 15}" text-anchor="end">${lastSeconds.toFixed(0)} s</text>`,
    `<polyline points="${points.join(' ')}" fill="none" stroke="steelblue" stroke-width="1.5"/>`,
  ];
}
