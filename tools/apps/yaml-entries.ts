import { isMap, isScalar, parseDocument } from 'yaml';

/** The way to a map in a YAML document, such as `['headers', 'subgraphs']`. */
export type MapPath = readonly string[];

/** The keys of a map, in their order; merge keys are left out. */
export function keysAt(text: string, path: MapPath): string[] {
  return [...positionsAt(text, path).keys()];
}

/** Inserts lines after the entry of a key. They are as deep as that key, and what surrounds them stays as it is. */
export function insertAfter(text: string, path: MapPath, key: string, lines: readonly string[]): string {
  const { indent, end, isSpaced } = entryAt(text, path, key);
  const entry = lines.map((line) => `${indent}${line}\n`).join('');
  return text.slice(0, end) + (isSpaced ? '\n' : '') + entry + text.slice(end);
}

/**
 * Removes the entry of a key.
 *
 * @throws {Error} when it has an anchor, which other entries may refer to
 */
export function removeEntry(text: string, path: MapPath, key: string): string {
  const { start, end, isSpaced } = entryAt(text, path, key);
  const entry = text.slice(start, end);
  const anchor = /(?<=: )&\w+/u.exec(entry)?.[0];
  if (anchor !== undefined) {
    throw new Error(`${[...path, key].join('.')} has the anchor ${anchor}: give that to another entry first`);
  }
  return text.slice(0, isSpaced ? start - 1 : start) + text.slice(end);
}

interface Entry {
  readonly indent: string;
  /** The offsets of its first line, and of the line after its last one. */
  readonly start: number;
  readonly end: number;
  /** True where an empty line is between it and the entry before. */
  readonly isSpaced: boolean;
}

/** The lines of an entry are its key's, and those below it that are deeper. */
function entryAt(text: string, path: MapPath, key: string): Entry {
  const position = positionsAt(text, path).get(key);
  if (position === undefined) {
    throw new Error(`There is no ${[...path, key].join('.')}`);
  }
  const start = text.lastIndexOf('\n', position) + 1;
  const indent = text.slice(start, position);
  const deeper = new RegExp(`[^\\n]*\\n(?:${indent}[ ]+[^\\n]*\\n|\\n+(?=${indent}[ ]+))*`, 'uy');
  deeper.lastIndex = start;
  const [entry = ''] = deeper.exec(text) ?? [];
  return { indent, start, end: start + entry.length, isSpaced: text.slice(0, start).endsWith('\n\n') };
}

/** Key → the offset at which it begins. */
function positionsAt(text: string, path: MapPath): ReadonlyMap<string, number> {
  const map = parseDocument(text, { merge: true }).getIn(path, true);
  if (!isMap(map)) {
    throw new Error(`There is no ${path.join('.')}`);
  }
  const entries = map.items.flatMap(({ key }) =>
    isScalar(key) && typeof key.value === 'string' && key.value !== '<<' && key.range
      ? [[key.value, key.range[0]] as const]
      : [],
  );
  return new Map(entries);
}
