import type { PastEvent } from '../events/run-events.ts';
import type { Sample } from '../watch/sample.ts';

/** One line of a panel, interrupted where it has no value. */
interface Curve {
  readonly label: string;
  readonly valueOf: (sample: Sample) => number | undefined;
}

/** Curves over time with a common scale. */
interface Panel {
  readonly title: string;
  readonly curves: readonly Curve[];
  /** Starts at zero; a logarithmic scale starts at 1. */
  readonly scale: 'linear' | 'logarithmic';
}

export interface ChartOptions {
  readonly samples: readonly Sample[];
  readonly events: readonly PastEvent[];
}

const width = 1200;
const panelHeight = 150;
/** The room for the names of events, which are written upwards. */
const eventsHeight = 140;
/** Around the curves of a panel: its title above, the scale to its left. */
const margin = { top: 30, right: 20, bottom: 20, left: 60 };
/** Distinguishable by colour-blind readers (Okabe and Ito). */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000'];

/** Codes that the load itself does not cause. */
const outageCodes: readonly string[] = ['SUBREQUEST_HTTP_ERROR', 'GATEWAY_TIMEOUT'];

/**
 * Draws a run as an SVG document: the responses of clients, the resources of the gateway, and the events as vertical
 * lines.
 */
export function soakChart({ samples, events }: ChartOptions): string {
  const panels = panelsOf(samples);
  const height = eventsHeight + panels.length * panelHeight;
  const lastSeconds = Math.max(1, ...samples.map(({ atSeconds }) => atSeconds));
  const xOf = (seconds: number): number =>
    margin.left + (seconds / lastSeconds) * (width - margin.left - margin.right);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">`,
    `<rect width="${width}" height="${height}" fill="white"/>`,
    ...events.flatMap((event) => drawnEvent(event, xOf(event.atSeconds), height)),
    ...panels.flatMap((panel, index) =>
      drawnPanel(panel, samples, { top: eventsHeight + index * panelHeight, lastSeconds, xOf }),
    ),
    '</svg>',
    '',
  ].join('\n');
}

function panelsOf(samples: readonly Sample[]): readonly Panel[] {
  const codes = [...new Set(samples.flatMap(({ codesPerSecond }) => [...codesPerSecond.keys()]))].toSorted();
  return [
    one('responses per second', ({ responsesPerSecond }) => responsesPerSecond),
    {
      title: 'latency, ms',
      scale: 'logarithmic',
      curves: [
        { label: 'p50', valueOf: ({ p50Ms }) => p50Ms },
        { label: 'p99', valueOf: ({ p99Ms }) => p99Ms },
      ],
    },
    errors('errors per second while services are away', outageCodes),
    ...inSixes(codes.filter((code) => !outageCodes.includes(code))).map((some) =>
      errors('rejections per second, by code', some),
    ),
    one('heap of the gateway after a collection, MiB', ({ held }) => held?.heapMiB),
    one('resident memory of the gateway, MiB', ({ held }) => held?.rssMiB),
    one('sockets of the gateway', ({ held }) => held?.sockets),
    one('open files of the gateway', ({ held }) => held?.openFiles),
  ];
}

function errors(title: string, codes: readonly string[]): Panel {
  const curves = codes.map((code): Curve => ({
    label: code,
    valueOf: ({ codesPerSecond }) => codesPerSecond.get(code) ?? 0,
  }));
  return { title, scale: 'linear', curves };
}

function one(title: string, valueOf: Curve['valueOf']): Panel {
  return { title, scale: 'linear', curves: [{ label: '', valueOf }] };
}

/** As many curves as fit into a panel and have a colour. */
function inSixes<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / 6) }, (_, row) => items.slice(row * 6, row * 6 + 6));
}

function drawnEvent({ name, fault }: PastEvent, x: number, height: number): string[] {
  const colour = fault === undefined ? 'gray' : 'red';
  const at = x.toFixed(1);
  return [
    `<path class="event" d="M${at} ${eventsHeight}V${height}" stroke="${colour}" stroke-width="0.7" stroke-dasharray="3 3"/>`,
    `<text transform="translate(${at} ${eventsHeight - 4}) rotate(-90)" font-size="9" fill="${colour}">${escaped(name)}</text>`,
  ];
}

interface Place {
  readonly top: number;
  readonly lastSeconds: number;
  readonly xOf: (seconds: number) => number;
}

function drawnPanel(
  { title, curves, scale }: Panel,
  samples: readonly Sample[],
  { top, lastSeconds, xOf }: Place,
): string[] {
  const highest = Math.max(
    1,
    ...curves.flatMap(({ valueOf }) => samples.map((sample) => valueOf(sample) ?? 0)),
  );
  const floor = top + panelHeight - margin.bottom;
  const ceiling = top + margin.top;
  const shareOf = (value: number): number =>
    scale === 'linear' ? value / highest : Math.log(Math.max(1, value)) / Math.log(Math.max(10, highest));
  const yOf = (value: number): number => floor - shareOf(value) * (floor - ceiling);
  return [
    `<text x="${margin.left}" y="${top + 20}" font-weight="bold">${title}</text>`,
    ...legend(curves, top),
    `<path d="M${margin.left} ${ceiling}V${floor}H${width - margin.right}" fill="none" stroke="gray"/>`,
    `<text x="${margin.left - 5}" y="${ceiling + 4}" text-anchor="end">${highest.toFixed(0)}</text>`,
    `<text x="${margin.left - 5}" y="${floor + 4}" text-anchor="end">${scale === 'linear' ? 0 : 1}</text>`,
    `<text x="${width - margin.right}" y="${floor + 15}" text-anchor="end">${lastSeconds.toFixed(0)} s</text>`,
    ...curves.flatMap(({ valueOf }, index) =>
      pieces(samples, valueOf).map((piece) => {
        const points = piece.map(([seconds, value]) => `${xOf(seconds).toFixed(1)},${yOf(value).toFixed(1)}`);
        return `<polyline points="${points.join(' ')}" fill="none" stroke="${colours[index]}" stroke-width="1.5"/>`;
      }),
    ),
  ];
}

function legend(curves: readonly Curve[], top: number): string[] {
  const labels = curves.map(
    ({ label }, index) => `<tspan fill="${colours[index]}" dx="12">${escaped(label)}</tspan>`,
  );
  return curves.length > 1 || curves[0]?.label !== ''
    ? [`<text x="${margin.left + 290}" y="${top + 20}" font-size="10">${labels.join('')}</text>`]
    : [];
}

/** The stretches without a gap, as times and values. */
function pieces(samples: readonly Sample[], valueOf: Curve['valueOf']): [number, number][][] {
  const found: [number, number][][] = [[]];
  for (const sample of samples) {
    const value = valueOf(sample);
    if (value === undefined) {
      found.push([]);
    } else {
      found.at(-1)?.push([sample.atSeconds, value]);
    }
  }
  return found.filter((piece) => piece.length > 0);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
