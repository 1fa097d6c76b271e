import type { DrawnFetch, FetchRun } from './drawn-fetch.ts';
import type { Box, Line } from './lay-out-plan.ts';
import { layOutPlan } from './lay-out-plan.ts';

export interface DrawingOptions {
  /** The hue of a subgraph, in degrees: the same wherever it is drawn. */
  readonly hueOf: (subgraph: string) => number;
  /** The width to fit the boxes into, in pixels. Default: 720. */
  readonly width?: number;
  /** A run of the plan, by the numbers of its fetches. A fetch that is not in it was not sent. */
  readonly run?: ReadonlyMap<number, FetchRun> | undefined;
}

const padding = 9;
const lineHeight = 16;
/** Below the lines: the time of the fetch, as a part of the run's. */
const barHeight = 9;
/** On average; the last characters of a wide text are cut off. */
const characterWidth = 6.3;
const maxFieldLines = 2;

/** Draws a plan as an SVG element, as text. An empty plan has a drawing too. */
export function drawPlan(
  fetches: readonly DrawnFetch[],
  { hueOf, width: available = 720, run }: DrawingOptions,
): string {
  const { width, height, boxWidth, headings, boxes, lines } = layOutPlan(fetches, {
    width: available,
    heightOf: (fetch, boxWidth) =>
      padding * 2 +
      linesOf(fetch, columnsIn(boxWidth)).length * lineHeight +
      (run === undefined ? 0 : barHeight),
  });
  const scaleMs = Math.max(1, ...Array.from(run?.values() ?? [], endOf));
  const style: BoxStyle = { boxWidth, run, scaleMs };
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="plan" role="img" aria-label="${escape(describe(fetches, run))}" viewBox="0 0 ${width} ${round(height)}" width="${width}" height="${round(height)}" font-family="inherit" font-size="12">`,
    ...headings.map((y, index) => text(2, y, `Round ${index + 1}`, { quiet: true })),
    ...lines.map(drawLine),
    ...boxes.map((box) => drawBox(box, hueOf(box.fetch.subgraph), style)),
    '</svg>',
  ].join('');
}

/** The plan as a sentence, for those who cannot see it. */
function describe(fetches: readonly DrawnFetch[], run: DrawingOptions['run']): string {
  if (fetches.length === 0) {
    return 'Nothing is fetched';
  }
  return fetches
    .map((fetch) => {
      const { number, subgraph, target, after } = fetch;
      const waits = after.length === 0 ? '' : `, after ${after.join(' and ')}`;
      const took = run === undefined ? [] : [timeOf(fetch, run.get(number)), ...resultOf(run.get(number))];
      return `Fetch ${number}: ${subgraph}${target === undefined ? '' : ` for ${target}`}${waits}${took.map((part) => `, ${part}`).join('')}`;
    })
    .join('. ');
}

/** The time of a fetch in a run. A second request for the same is not sent. */
function timeOf({ sameAs }: DrawnFetch, ran: FetchRun | undefined): string {
  if (ran === undefined) {
    return sameAs === undefined ? 'not sent' : `with ${sameAs}`;
  }
  return ran.durationMs === undefined ? 'not ended' : formatMs(ran.durationMs);
}

/** The number of requested entities, and the failure. */
function resultOf(ran: FetchRun | undefined): readonly string[] {
  if (ran === undefined) {
    return [];
  }
  const { entities, outcome } = ran;
  return [
    ...(entities === undefined ? [] : [`${entities} ${entities === 1 ? 'entity' : 'entities'}`]),
    ...(outcome === 'ok' ? [] : [outcome]),
  ];
}

function formatMs(milliseconds: number): string {
  return `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
}

function endOf({ startMs, durationMs = 0 }: FetchRun): number {
  return startMs + durationMs;
}

interface TextLine {
  readonly text: string;
  readonly bold?: boolean;
  readonly quiet?: boolean;
}

function linesOf(
  { number, subgraph, operationKind, target, lookup, fields, sameAs }: DrawnFetch,
  columns: number,
): readonly TextLine[] {
  const where = target ?? operationKind;
  const by = lookup === undefined ? '' : `by ${lookup}`;
  const isOneLine = `${where} ${by}`.length <= columns;
  return [
    { text: `${number}  ${subgraph}`, bold: true },
    { text: isOneLine ? `${where} ${by}`.trim() : where },
    ...(isOneLine || by === '' ? [] : [{ text: by }]),
    ...wrapped(fields, columns).map((line) => ({ text: line, quiet: true })),
    ...(sameAs === undefined ? [] : [{ text: `one request with ${sameAs} for the same`, quiet: true }]),
  ];
}

/** The names of fields in a few lines; those that do not fit are counted. */
function wrapped(names: readonly string[], columns: number): readonly string[] {
  const lines: string[] = [];
  for (const [index, name] of names.entries()) {
    const last = lines.at(-1);
    const isLast = index === names.length - 1;
    const longer = `${last ?? ''}${last === undefined ? '' : ', '}${name}`;
    const room = lines.length < maxFieldLines || isLast ? columns : columns - 10;
    if (last !== undefined && longer.length <= room) {
      lines[lines.length - 1] = longer;
    } else if (lines.length < maxFieldLines) {
      lines.push(name);
    } else {
      lines[lines.length - 1] = `${last ?? ''} + ${names.length - index} more`;
      return lines;
    }
  }
  return lines;
}

interface BoxStyle {
  readonly boxWidth: number;
  readonly run: DrawingOptions['run'];
  /** The end of the last fetch, in milliseconds after the request began. */
  readonly scaleMs: number;
}

function drawBox({ fetch, x, y, height }: Box, hue: number, { boxWidth, run, scaleMs }: BoxStyle): string {
  const columns = columnsIn(boxWidth);
  const ran = run?.get(fetch.number);
  const time = run === undefined ? '' : [timeOf(fetch, ran), ...resultOf(ran)].join(' · ');
  const [heading, ...lines] = linesOf(fetch, columns);
  const title = [heading?.text ?? '', time, ...lines.map((line) => line.text), fetch.fields.join(', ')];
  const left = x + padding + 3;
  const lineAt = (index: number): number => y + padding + lineHeight * (index + 0.75);
  const room = columns - (heading?.text.length ?? 0) - 2;
  return [
    '<g>',
    `<title>${escape(title.filter((line) => line !== '').join('\n'))}</title>`,
    `<rect x="${round(x)}" y="${round(y)}" width="${boxWidth}" height="${height}" rx="6" fill="var(--plan-surface, Canvas)" stroke="currentColor" stroke-opacity=".22"/>`,
    `<rect x="${round(x)}" y="${round(y + 10)}" width="3" height="${height - 20}" fill="hsl(${hue} 60% 52%)"/>`,
    text(left, lineAt(0), shortened(heading?.text ?? '', columns), { bold: true }),
    text(x + boxWidth - padding, lineAt(0), shortened(time, Math.max(8, room)), {
      atEnd: true,
      bold: isFailed(ran),
    }),
    ...lines.map((line, index) => text(left, lineAt(index + 1), shortened(line.text, columns), line)),
    ran === undefined
      ? ''
      : drawBar(
          ran,
          { x: left, y: y + height - barHeight - 1 },
          { hue, scaleMs, width: boxWidth - padding * 2 - 3 },
        ),
    '</g>',
  ].join('');
}

function isFailed(ran: FetchRun | undefined): boolean {
  return ran !== undefined && ran.outcome !== 'ok';
}

/** The time of a fetch within the run, whose bars share one scale. */
function drawBar(
  ran: FetchRun,
  { x, y }: { readonly x: number; readonly y: number },
  { hue, scaleMs, width }: { readonly hue: number; readonly scaleMs: number; readonly width: number },
): string {
  const start = (ran.startMs / scaleMs) * width;
  const length = Math.max(2, ((ran.durationMs ?? 0) / scaleMs) * width);
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="3" fill="currentColor" fill-opacity=".1"/><rect x="${round(x + Math.min(start, width - 2))}" y="${round(y)}" width="${round(Math.min(length, Math.max(2, width - start)))}" height="3" fill="hsl(${hue} 60% 52%)"/>`;
}

/** A curve between rows, and a straight line through one that it passes. */
function drawLine({ points }: Line): string {
  const path = points.map(({ x, y }, index) => {
    const before = points[index - 1];
    if (before === undefined) {
      return `M${round(x)} ${round(y)}`;
    }
    const middle = round((before.y + y) / 2);
    return before.x === x
      ? `L${round(x)} ${round(y)}`
      : `C${round(before.x)} ${middle} ${round(x)} ${middle} ${round(x)} ${round(y)}`;
  });
  const end = points.at(-1) ?? { x: 0, y: 0 };
  return `<path d="${path.join('')}" fill="none" stroke="currentColor" stroke-opacity=".38" stroke-width="1.25"/><path d="M${round(end.x - 4)} ${round(end.y - 7)}L${round(end.x)} ${round(end.y - 1)}L${round(end.x + 4)} ${round(end.y - 7)}" fill="none" stroke="currentColor" stroke-opacity=".55" stroke-width="1.25"/>`;
}

/** As many characters as fit into a box. */
function columnsIn(boxWidth: number): number {
  return Math.floor((boxWidth - padding * 2 - 3) / characterWidth);
}

function text(
  x: number,
  y: number,
  content: string,
  { bold = false, quiet = false, atEnd = false }: Omit<TextLine, 'text'> & { readonly atEnd?: boolean },
): string {
  return content === ''
    ? ''
    : `<text x="${round(x)}" y="${round(y)}" fill="currentColor"${quiet ? ' fill-opacity=".68"' : ''}${bold ? ' font-weight="600"' : ''}${atEnd ? ' text-anchor="end"' : ''}>${escape(content)}</text>`;
}

function shortened(content: string, columns: number): string {
  return content.length > columns ? `${content.slice(0, columns - 1)}…` : content;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** XML takes no control character, not even escaped. */
const controls = /[^\P{Cc}\n\t]/gu;

function escape(content: string): string {
  return content
    .replaceAll(controls, '�')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
