import type { DrawnFetch } from './drawn-fetch.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A box of the drawing. */
export interface Box extends Point {
  readonly fetch: DrawnFetch;
  readonly height: number;
}

/** A line from a fetch to one that waits for it, through the columns between. */
export interface Line {
  readonly from: DrawnFetch;
  readonly to: DrawnFetch;
  readonly points: readonly Point[];
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  /** The left edge of each round's column. */
  readonly columns: readonly number[];
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
}

export const boxWidth = 226;
/** Above the boxes: the rounds' headings. */
export const headingHeight = 30;
const columnGap = 56;
const rowGap = 14;
const margin = 2;
/** The room of a line that passes a column. */
const passageHeight = 10;

/** Something in a column: a fetch, or a line that passes it. */
interface Item {
  readonly height: number;
  /** The items of the column before that it is connected to. */
  readonly sources: readonly Item[];
  readonly fetch: DrawnFetch | undefined;
  y: number;
}

/**
 * Places the fetches of a plan: each round is a column. A line that passes a column has a row of its own there, so that
 * it crosses no box.
 */
export function layOutPlan(fetches: readonly DrawnFetch[], heightOf: (fetch: DrawnFetch) => number): Layout {
  const columns: Item[][] = [];
  const put = (round: number, item: Item): Item => {
    while (columns.length < round) {
      columns.push([]);
    }
    columns[round - 1]?.push(item);
    return item;
  };
  const itemOf = new Map<number, Item>();
  const paths: (Omit<Line, 'points'> & { readonly items: readonly Item[] })[] = [];
  for (const fetch of fetches.toSorted((one, other) => one.round - other.round)) {
    const sources: Item[] = [];
    for (const number of fetch.after) {
      const from = itemOf.get(number);
      if (from?.fetch !== undefined) {
        const items = [from];
        for (let round = from.fetch.round + 1; round < fetch.round; round += 1) {
          const source = items.at(-1) ?? from;
          items.push(put(round, { height: passageHeight, sources: [source], fetch: undefined, y: 0 }));
        }
        sources.push(items.at(-1) ?? from);
        paths.push({ from: from.fetch, to: fetch, items });
      }
    }
    itemOf.set(fetch.number, put(fetch.round, { height: heightOf(fetch), sources, fetch, y: 0 }));
  }
  const height = placeRows(columns);
  const xOf = (round: number): number => margin + (round - 1) * (boxWidth + columnGap);
  return {
    width: margin * 2 + Math.max(1, columns.length) * (boxWidth + columnGap) - columnGap,
    height: height + margin,
    columns: columns.map((_, index) => xOf(index + 1)),
    boxes: [...itemOf.values()].flatMap(({ fetch, y, height: boxHeight }) =>
      fetch === undefined ? [] : [{ fetch, x: xOf(fetch.round), y, height: boxHeight }],
    ),
    lines: paths.map(({ from, to, items }) => ({
      from,
      to,
      points: [
        ...items.flatMap((item, index) => {
          const x = xOf(from.round + index);
          const y = middleOf(item);
          return index === 0
            ? [{ x: x + boxWidth, y }]
            : [
                { x, y },
                { x: x + boxWidth, y },
              ];
        }),
        { x: xOf(to.round), y: middleOf(itemOf.get(to.number)) },
      ],
    })),
  };
}

/**
 * Orders each column by the middle of what its items wait for, and centres the columns; the result is the height of
 * all.
 */
function placeRows(columns: readonly Item[][]): number {
  for (const column of columns) {
    const wish = new Map(column.map((item) => [item, mean(item.sources.map(middleOf))]));
    column.sort((one, other) => (wish.get(one) ?? 0) - (wish.get(other) ?? 0));
    let y = 0;
    for (const item of column) {
      item.y = y;
      y += item.height + rowGap;
    }
  }
  const heights = columns.map((column) => bottomOf(column.at(-1)));
  const highest = Math.max(0, ...heights);
  columns.forEach((column, index) => {
    const shift = headingHeight + (highest - (heights[index] ?? 0)) / 2;
    for (const item of column) {
      item.y += shift;
    }
  });
  return headingHeight + highest;
}

function middleOf(item: Item | undefined): number {
  return item === undefined ? 0 : item.y + item.height / 2;
}

function bottomOf(item: Item | undefined): number {
  return item === undefined ? 0 : item.y + item.height;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
