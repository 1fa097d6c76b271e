import type { Document } from 'yaml';
import { LineCounter, isMap, isNode, isScalar, isSeq, parseDocument } from 'yaml';

import type { Mapping } from '../declaration/mapping.ts';
import { isMapping } from '../declaration/mapping.ts';
import { showPath } from '../declaration/place.ts';

/** A file of the configuration. */
export interface ConfigFile {
  /** The name for messages. */
  readonly name: string;
  readonly text: string;
}

export interface ParsedFile {
  readonly document: Mapping;
  /** The line of each key and item, by its path; for the content of an anchor, the line of the alias. */
  readonly lines: ReadonlyMap<string, number>;
}

/** The longest file. Those that teams publish have at most 20 kB. */
const maxCharacters = 1_000_000;

const empty: ParsedFile = { document: {}, lines: new Map() };

/** The map in the file; an empty map for an empty file. Adds a fault for a file that is not YAML, or not a map. */
export function parseYaml({ name, text }: ConfigFile, faults: string[]): ParsedFile {
  if (text.length > maxCharacters) {
    faults.push(`${name}: has more than ${maxCharacters} characters`);
    return empty;
  }
  const lineCounter = new LineCounter();
  const parsed = parseDocument(text, { prettyErrors: true, lineCounter });
  const [error] = parsed.errors;
  if (error !== undefined) {
    if (error.code === 'MULTIPLE_DOCS') {
      faults.push(`${name}: holds more than one document; an overlay is a file of its own`);
      return empty;
    }
    // The first line has the fault and its position. The others quote the file, which may hold a secret.
    faults.push(`${name}: ${error.message.split('\n', 1)[0]?.replace(/:$/, '')}`);
    return empty;
  }
  const value = valueOf(parsed);
  if (value === unresolvable) {
    faults.push(`${name}: an alias refers to its own anchor, or aliases multiply to too many values`);
    return empty;
  }
  if (value === null || isMapping(value)) {
    return { document: value ?? {}, lines: new Map(linesIn(parsed.contents, [], lineCounter)) };
  }
  faults.push(`${name}: is not a map`);
  return empty;
}

const unresolvable = Symbol('unresolvable');

/** The library counts what aliases multiply to, and throws. An anchor around its own alias becomes a cycle. */
function valueOf(parsed: Document): unknown {
  try {
    const value: unknown = parsed.toJS();
    JSON.stringify(value);
    return value;
  } catch {
    return unresolvable;
  }
}

type Line = readonly [path: string, line: number];

function linesIn(node: unknown, path: readonly (string | number)[], lineCounter: LineCounter): Line[] {
  const lineOf = (part: unknown): number =>
    isNode(part) ? lineCounter.linePos(part.range?.[0] ?? 0).line : 0;
  if (isMap(node)) {
    return node.items.flatMap(({ key, value }) => {
      const below = [...path, String(isScalar(key) ? key.value : key)];
      return [[showPath(below), lineOf(key)] as const, ...linesIn(value, below, lineCounter)];
    });
  }
  if (isSeq(node)) {
    return node.items.flatMap((item, index) => {
      const below = [...path, index];
      return [[showPath(below), lineOf(item)] as const, ...linesIn(item, below, lineCounter)];
    });
  }
  return [];
}
