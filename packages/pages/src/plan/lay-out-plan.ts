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

/** A line from a fetch to one that waits for it, through the rows between. */
export interface Line {
  readonly points: readonly Point[];
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly boxWidth: number;
  /** The baseline of each round's heading. */
  readonly headings: readonly number[];
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
}

const narrowestBox = 226;
const widestBox = 400;
/** Above the first row of a round: its heading, and the lines. */
const headingHeight = 28;
/** Above the other rows of a round. */
const rowGap = 18;
const boxGap = 14;
const margin = 2;
/** The room of a line that passes a row. */
const passageWidth = 10;

/** Something in a row: a fetch, or the line from a fetch that passes it. */
interface Item {
  readonly width: number;
  /** The items of the row before that it is connected to. */
  readonly sources: readonly Item[];
  readonly fetch: DrawnFetch | undefined;
  x: number;
}

interface Row {
  readonly round: number;
  readonly items: Item[];
  /** The lines that pass it, by the number of the fetch that they come from; one fetch has one line here. */
  readonly passages: Map<number, Item>;
  y: number;
  height: number;
}

/**
 * Places the fetches of a plan, top-down: each round is a row, or several where its boxes do not fit side by side into
 * the width. A line that passes a row has a place of its own there, so that it crosses no box.
 */
export function layOutPlan(
  fetches: readonly DrawnFetch[],
  { width, heightOf }: { width: number; heightOf: (fetch: DrawnFetch, boxWidth: number) => number },
): Layout {
  const room = Math.max(1, Math.floor((width - margin * 2 + boxGap) / (narrowestBox + boxGap)));
  const rows = rowsOf(fetches, room);
  const mostBoxes = Math.max(1, ...rows.map(({ boxes }) => boxes.length));
  const shared = Math.floor((width - margin * 2 + boxGap) / mostBoxes) - boxGap;
  const boxWidth = Math.min(widestBox, Math.max(narrowestBox, shared));

  const placed: Row[] = [];
  const itemOf = new Map<number, { readonly item: Item; readonly row: number }>();
  const paths: { readonly items: readonly Item[]; readonly firstRow: number; readonly to: Item }[] = [];
  for (const [index, { round, boxes }] of rows.entries()) {
    const row: Row = { round, items: [], passages: new Map(), y: 0, height: 0 };
    placed.push(row);
    for (const fetch of boxes) {
      const sources: Item[] = [];
      const item: Item = { width: boxWidth, sources, fetch, x: 0 };
      for (const number of fetch.after) {
        const from = itemOf.get(number);
        if (from !== undefined) {
          const items = [from.item, ...passagesFrom(number, from, placed.slice(from.row + 1, index))];
          sources.push(items.at(-1) ?? from.item);
          paths.push({ items, firstRow: from.row, to: item });
        }
      }
      row.items.push(item);
      row.height = Math.max(row.height, heightOf(fetch, boxWidth));
      itemOf.set(fetch.number, { item, row: index });
    }
  }
  const totalWidth = placeItems(placed);
  const { height, headings } = placeRows(placed);
  return {
    width: totalWidth,
    height,
    boxWidth,
    headings,
    boxes: placed.flatMap((row) =>
      row.items.flatMap(({ fetch, x }) =>
        fetch === undefined ? [] : [{ fetch, x, y: row.y, height: row.height }],
      ),
    ),
    lines: paths.map(({ items, firstRow, to }) => ({
      points: [
        ...items.flatMap((item, index) => {
          const { y = 0, height: rowHeight = 0 } = placed[firstRow + index] ?? {};
          const [top, bottom] = [y, y + rowHeight].map((end) => ({ x: middleOf(item), y: end }));
          return (index === 0 ? [bottom] : [top, bottom]).filter((point) => point !== undefined);
        }),
        { x: middleOf(to), y: placed[firstRow + items.length]?.y ?? 0 },
      ],
    })),
  };
}

/** The fetches of each row, from the first round. */
function rowsOf(
  fetches: readonly DrawnFetch[],
  room: number,
): readonly { readonly round: number; readonly boxes: readonly DrawnFetch[] }[] {
  const rounds = Map.groupBy(
    fetches.toSorted((one, other) => one.round - other.round),
    ({ round }) => round,
  );
  return Array.from(rounds, ([round, boxes]) =>
    Array.from({ length: Math.ceil(boxes.length / room) }, (_, index) => ({
      round,
      boxes: boxes.slice(index * room, (index + 1) * room),
    })),
  ).flat();
}

/** The passages of a line through rows; missing ones are added. */
function passagesFrom(
  number: number,
  { item }: { readonly item: Item },
  rows: readonly Row[],
): readonly Item[] {
  let source = item;
  return rows.map(({ items, passages }) => {
    const passage = passages.get(number) ?? {
      width: passageWidth,
      sources: [source],
      fetch: undefined,
      x: 0,
    };
    if (!passages.has(number)) {
      passages.set(number, passage);
      items.push(passage);
    }
    source = passage;
    return passage;
  });
}

/** Orders each row by the middle of what its items wait for, and centres the rows; the result is the width of all. */
function placeItems(rows: readonly Row[]): number {
  for (const { items } of rows) {
    const wish = new Map(items.map((item) => [item, mean(item.sources.map(middleOf))]));
    items.sort((one, other) => (wish.get(one) ?? 0) - (wish.get(other) ?? 0));
    let x = margin;
    for (const item of items) {
      item.x = x;
      x += item.width + boxGap;
    }
  }
  const ends = rows.map(({ items }) => endOf(items.at(-1)));
  const width = Math.max(narrowestBox + margin, ...ends) + margin;
  rows.forEach(({ items }, index) => {
    const shift = (width - margin - (ends[index] ?? 0)) / 2;
    for (const item of items) {
      item.x += shift;
    }
  });
  return width;
}

/** Puts the rows below each other, with the headings of the rounds. */
function placeRows(rows: readonly Row[]): Pick<Layout, 'height' | 'headings'> {
  const headings: number[] = [];
  let y = 0;
  for (const [index, row] of rows.entries()) {
    if (rows[index - 1]?.round === row.round) {
      y += rowGap;
    } else {
      y += headingHeight;
      headings.push(y - 10);
    }
    row.y = y;
    y += row.height;
  }
  return { height: y + margin, headings };
}

function middleOf(item: Item): number {
  return item.x + item.width / 2;
}

function endOf(item: Item | undefined): number {
  return item === undefined ? 0 : item.x + item.width;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
