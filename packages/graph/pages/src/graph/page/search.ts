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
  /** The label in lower case. */
  readonly lower: string;
  /** Without the type's name. */
  readonly own: string;
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
    const byRank = Map.groupBy(all, (candidate) => rankOf(candidate, wanted));
    return [0, 1, 2, 3].flatMap((rank) => byRank.get(rank) ?? []);
  };
}

function entry(kind: string, label: string, address: string, isDeprecated = false): IndexedEntry {
  const lower = label.toLowerCase();
  return { kind, label, address, isDeprecated, lower, own: lower.slice(lower.indexOf('.') + 1) };
}

/** 0 for the name itself, 1 for its start, 2 for the start of the label, 3 for any other part; else -1. */
function rankOf({ lower, own }: IndexedEntry, wanted: string): number {
  if (own === wanted || lower === wanted) {
    return 0;
  }
  if (own.startsWith(wanted)) {
    return 1;
  }
  return lower.startsWith(wanted) ? 2 : lower.includes(wanted) ? 3 : -1;
}
