import type { DocumentNode } from 'graphql';
import { visit } from 'graphql';

/** The labels of a supergraph's progressive overrides, and the names of the fields that each of them moves. */
export type OverrideLabels = ReadonlyMap<string, ReadonlySet<string>>;

/** The labels of progressive overrides that a document's plans depend on. */
export interface Labels {
  readonly names: readonly string[];
  /**
   * Those that are set in one run: the given ones, and each `percent(n)` in n of 100 runs.
   *
   * @param random from 0, below 1
   */
  setIn(given: ReadonlySet<string> | undefined, random: () => number): readonly string[];
}

interface Label {
  readonly name: string;
  /** Undefined for one that only the caller sets. */
  readonly percent: number | undefined;
}

const none: readonly string[] = [];

/**
 * Finds the labels of the fields that a document selects. The others are never set for it, and do not multiply its
 * plans.
 */
export function findLabels(document: DocumentNode, overrideLabels: OverrideLabels): Labels {
  if (overrideLabels.size === 0) {
    return { names: none, setIn: () => none };
  }
  const names = new Set<string>();
  visit(document, { Field: (node) => void names.add(node.name.value) });
  const labels = [...overrideLabels].flatMap(([name, fields]): Label[] =>
    [...fields].some((field) => names.has(field)) ? [{ name, percent: percentOf(name) }] : [],
  );
  return {
    names: labels.map(({ name }) => name),
    setIn: (given, random) =>
      labels
        .filter(
          ({ name, percent }) =>
            given?.has(name) === true || (percent !== undefined && random() * 100 < percent),
        )
        .map(({ name }) => name),
  };
}

/** Composition refuses other ways to write a percentage. */
function percentOf(label: string): number | undefined {
  const percent = /^percent\((\d+(?:\.\d+)?)\)$/u.exec(label)?.[1];
  return percent === undefined ? undefined : Number(percent);
}
