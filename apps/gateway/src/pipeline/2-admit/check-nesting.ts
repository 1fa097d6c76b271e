import type {
  DocumentNode,
  FragmentDefinitionNode,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';
import { Kind } from 'graphql';

import { refusal } from '../../refusal.ts';

/** What one definition nests. */
interface Nesting {
  /** The levels of selection sets that it has itself. */
  readonly own: number;
  /** The deepest level at which it spreads each fragment. */
  readonly spreads: ReadonlyMap<string, number>;
}

/**
 * Refuses a document in which selection sets nest too deeply once the fragments are put in: what comes later calls itself for each
 * level. The parser has bounded the levels of each definition already.
 *
 * @throws {Refusal} MAX_DEPTH_LIMIT
 */
export function checkNesting({ definitions }: DocumentNode, maxLevels: number): void {
  const fragments = new Map<string, Nesting>();
  const operations: Nesting[] = [];
  for (const definition of definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      fragments.set(definition.name.value, nestingOf(definition));
    } else if (definition.kind === Kind.OPERATION_DEFINITION) {
      operations.push(nestingOf(definition));
    }
  }
  const levels = levelsOfFragments(fragments);
  if ([...fragments.values(), ...operations].some((nesting) => totalLevels(nesting, levels) > maxLevels)) {
    throw refusal(
      'MAX_DEPTH_LIMIT',
      `The operation nests more than ${maxLevels} selection sets, those of its fragments included`,
    );
  }
}

function nestingOf({ selectionSet }: OperationDefinitionNode | FragmentDefinitionNode): Nesting {
  const spreads = new Map<string, number>();
  let own = 0;
  const walk = ({ selections }: SelectionSetNode, level: number): void => {
    own = Math.max(own, level);
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const name = selection.name.value;
        spreads.set(name, Math.max(spreads.get(name) ?? 0, level));
      } else if (selection.selectionSet !== undefined) {
        walk(selection.selectionSet, level + 1);
      }
    }
  };
  walk(selectionSet, 1);
  return { own, spreads };
}

/** The levels of each fragment with those that it spreads, found without recursion. One that spreads itself is left to validation. */
function levelsOfFragments(fragments: ReadonlyMap<string, Nesting>): ReadonlyMap<string, number> {
  const levels = new Map<string, number>();
  const opened = new Set<string>();
  const stack = [...fragments.keys()];
  for (let name = stack.at(-1); name !== undefined; name = stack.at(-1)) {
    const nesting = fragments.get(name);
    if (nesting === undefined || levels.has(name)) {
      stack.pop();
    } else if (opened.has(name)) {
      levels.set(name, totalLevels(nesting, levels));
      stack.pop();
    } else {
      opened.add(name);
      stack.push(...[...nesting.spreads.keys()].filter((spread) => !opened.has(spread)));
    }
  }
  return levels;
}

function totalLevels({ own, spreads }: Nesting, levels: ReadonlyMap<string, number>): number {
  return Array.from(spreads, ([name, level]) => level + (levels.get(name) ?? 0)).reduce(
    (deepest, level) => Math.max(deepest, level),
    own,
  );
}
