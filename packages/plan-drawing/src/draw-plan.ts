import type { DrawnFetch } from './drawn-fetch.ts';
import { hueAt } from './hue-at.ts';
import type { Box, Line } from './lay-out-plan.ts';
import { boxWidth, headingHeight, layOutPlan } from './lay-out-plan.ts';

export interface DrawingOptions {
  /** The hue of a subgraph, in degrees. Default: by its place in the plan. */
  readonly hueOf?: (subgraph: string) => number;
}

const padding = 12;
const lineHeight = 16;
/** As many characters as fit into a box. */
const columnsOfText = 33;
const maxFieldLines = 3;

/** Draws a plan as an SVG element, as text. An empty plan has a drawing too. */
export function drawPlan(fetches: readonly DrawnFetch[], { hueOf }: DrawingOptions = {}): string {
  const names = [...new Set(fetches.map(({ subgraph }) => subgraph))];
  const hue = hueOf ?? ((subgraph: string) => hueAt(names.indexOf(subgraph)));
  const layout = layOutPlan(fetches, (fetch) => padding * 2 + linesOf(fetch).length * lineHeight + 2);
  const { width, height, columns, boxes, lines } = layout;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="plan" role="img" aria-label="${escape(describe(fetches))}" viewBox="0 0 ${width} ${round(height)}" width="${width}" height="${round(height)}" font-family="inherit" font-size="12">`,
    ...columns.map((x, index) => text(x, headingHeight - 14, `Round ${index + 1}`, { quiet: true })),
    ...lines.map(drawLine),
    ...boxes.map((box) => drawBox(box, hue(box.fetch.subgraph))),
    '</svg>',
  ].join('');
}

/** The plan as a sentence, for those who cannot see it. */
function describe(fetches: readonly DrawnFetch[]): string {
  if (fetches.length === 0) {
    return 'Nothing is fetched';
  }
  return fetches
    .map(({ number, subgraph, target, after }) => {
      const waits = after.length === 0 ? '' : `, after ${after.join(' and ')}`;
      return `Fetch ${number}: ${subgraph}${target === undefined ? '' : ` for ${target}`}${waits}`;
    })
    .join('. ');
}

interface TextLine {
  readonly text: string;
  readonly bold?: boolean;
  readonly quiet?: boolean;
}

function linesOf({
  number,
  subgraph,
  operationKind,
  target,
  lookup,
  fields,
  sameAs,
}: DrawnFetch): readonly TextLine[] {
  return [
    { text: `${number}  ${subgraph}`, bold: true },
    { text: target ?? operationKind },
    ...(lookup === undefined ? [] : [{ text: `by ${lookup}`, quiet: true }]),
    ...wrapped(fields).map((line) => ({ text: line, quiet: true })),
    ...(sameAs === undefined ? [] : [{ text: `one request with ${sameAs} for the same`, quiet: true }]),
  ];
}

/** The names of fields in a few lines; those that do not fit are counted. */
function wrapped(names: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const [index, name] of names.entries()) {
    const last = lines.at(-1);
    const isLast = index === names.length - 1;
    const longer = `${last ?? ''}${last === undefined ? '' : ', '}${name}`;
    const room = lines.length < maxFieldLines || isLast ? columnsOfText : columnsOfText - 10;
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

function drawBox({ fetch, x, y, height }: Box, hue: number): string {
  const lines = linesOf(fetch);
  const title = [
    ...lines.slice(0, fetch.lookup === undefined ? 2 : 3).map((line) => line.text),
    fetch.fields.join(', '),
  ];
  return [
    '<g>',
    `<title>${escape(title.join('\n'))}</title>`,
    `<rect x="${x}" y="${round(y)}" width="${boxWidth}" height="${height}" rx="6" fill="var(--plan-surface, Canvas)" stroke="currentColor" stroke-opacity=".22"/>`,
    `<rect x="${x}" y="${round(y + 10)}" width="3" height="${height - 20}" fill="hsl(${hue} 60% 52%)"/>`,
    ...lines.map((line, index) =>
      text(x + padding + 3, y + padding + lineHeight * (index + 0.75), shortened(line.text), line),
    ),
    '</g>',
  ].join('');
}

/** A curve between columns, and a straight line through one that it passes. */
function drawLine({ points }: Line): string {
  const path = points.map(({ x, y }, index) => {
    const before = points[index - 1];
    if (before === undefined) {
      return `M${x} ${round(y)}`;
    }
    const middle = round((before.x + x) / 2);
    return before.y === y
      ? `L${x} ${round(y)}`
      : `C${middle} ${round(before.y)} ${middle} ${round(y)} ${x} ${round(y)}`;
  });
  const end = points.at(-1) ?? { x: 0, y: 0 };
  return `<path d="${path.join('')}" fill="none" stroke="currentColor" stroke-opacity=".38" stroke-width="1.25"/><path d="M${end.x - 7} ${round(end.y - 4)}L${end.x - 1} ${round(end.y)}L${end.x - 7} ${round(end.y + 4)}" fill="none" stroke="currentColor" stroke-opacity=".55" stroke-width="1.25"/>`;
}

function text(
  x: number,
  y: number,
  content: string,
  { bold = false, quiet = false }: Omit<TextLine, 'text'>,
): string {
  return `<text x="${x}" y="${round(y)}" fill="currentColor"${quiet ? ' fill-opacity=".68"' : ''}${bold ? ' font-weight="600"' : ''}>${escape(content)}</text>`;
}

function shortened(content: string): string {
  return content.length > columnsOfText ? `${content.slice(0, columnsOfText - 1)}…` : content;
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
