import type { GraphData } from '../graph-data.ts';
import { addressOf } from './model.ts';

/** Something that can be found. */
export interface Entry {
  readonly label: string;
  readonly kind: string;
  readonly address: string;
  readonly isDeprecated: boolean;
}

interface IndexedEntry extends Entry {
  readonly lower: string;
  /** The place in the lowercased label where the own name starts, after the type's. */
  readonly nameAt: number;
}

/** The entries for a text, the best first. */
export type Search = (text: string) => readonly Entry[];

/** Creates the search over subgraphs, operations, types and members. No text finds all but members. */
export function createSearch({ subgraphs, operations, types }: GraphData): Search {
  const entries = [
    ...subgraphs.map(({ name }) => entry('subgraph', name, addressOf('subgraph', name))),
    ...operations.map(({ name, kind, key }) =>
      entry(kind, name || '(anonymous)', addressOf('operation', key)),
    ),
    ...types.map(({ name, kind }) => entry(kind, name, addressOf('type', name))),
  ];
  const members = types.flatMap(({ name: type, kind, members: ofType }) =>
    ofType.map(({ name, deprecated }) =>
      entry(
        kind === 'enum' ? 'value' : 'field',
        `${type}.${name}`,
        addressOf('field', type, name),
        deprecated !== undefined,
      ),
    ),
  );
  const all = [...entries, ...members];
  return (text) => {
    const wanted = text.trim().toLowerCase();
    if (wanted === '') {
      return entries;
    }
    const ranks: IndexedEntry[][] = [[], [], [], []];
    for (const candidate of all) {
      ranks[rankOf(candidate, wanted)]?.push(candidate);
    }
    return ranks.flat();
  };
}

function entry(kind: string, label: string, address: string, isDeprecated = false): IndexedEntry {
  const nameAt = label.indexOf('.') + 1;
  return { kind, label, address, isDeprecated, lower: label.toLowerCase(), nameAt };
}

/** 0 for the name itself, 1 for its start, 2 for the start of the label, 3 for any other part; none beyond. */
function rankOf({ lower, nameAt }: IndexedEntry, wanted: string): number {
  const place = lower.indexOf(wanted);
  if (place === -1) {
    return -1;
  }
  if (lower === wanted || (lower.endsWith(wanted) && lower.length - wanted.length === nameAt)) {
    return 0;
  }
  if (lower.startsWith(wanted, nameAt)) {
    return 1;
  }
  return place === 0 ? 2 : 3;
}
