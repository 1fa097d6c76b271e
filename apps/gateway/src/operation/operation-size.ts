import { fragmentsByName, responseNameOf } from '@meridian/executor';
import type {
  DocumentNode,
  FieldNode,
  OperationDefinitionNode,
  SelectionNode,
  SelectionSetNode,
} from 'graphql';
import { Kind } from 'graphql';

import { requestError } from '../errors/request-error.ts';

/** The quantities that have limits. */
export interface OperationSize {
  /** Fields along the deepest path, the leaf included. */
  readonly depth: number;
  /** Fields of all selection sets; fields of one name in one set count once. */
  readonly height: number;
  readonly aliases: number;
  readonly rootFields: number;
  /** All selections, fragments and their spreads included. */
  readonly selections: number;
  /** True when it selects only the schema. */
  readonly isPureIntrospection: boolean;
}

interface Count {
  readonly depth: number;
  readonly height: number;
  readonly aliases: number;
  readonly fields: number;
  readonly selections: number;
  /** Selection sets within selection sets. */
  readonly nesting: number;
  readonly isIntrospection: boolean;
}

const nothing: Count = {
  depth: 0,
  height: 0,
  aliases: 0,
  fields: 0,
  selections: 0,
  nesting: 0,
  isIntrospection: true,
};

/**
 * Measures an operation. A fragment counts at each of its spreads, but is walked once, so that fragments that spread
 * fragments cannot make counting slow; counts stop at the largest exact integer. A fragment that spreads itself,
 * which validation rejects, counts as nothing there.
 *
 * @param maxNesting the deepest nesting of selection sets, fragments included: readers of an operation recurse for
 *   each level
 * @throws {RequestError} PARSING_ERROR for an operation that nests deeper
 */
export function measureOperation(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  maxNesting: number,
): OperationSize {
  const fragments = fragmentsByName(document);
  const counted = new Map<string, Count>();
  /** The enclosing selection sets. */
  let around = 0;

  const countSelections = ({ selections }: SelectionSetNode): Count => {
    around += 1;
    limitNesting(around);
    let count = nothing;
    const names = new Set<string>();
    for (const selection of selections) {
      count = combined(count, countSelection(selection, names));
    }
    around -= 1;
    return {
      ...count,
      selections: saturated(count.selections + selections.length),
      nesting: count.nesting + 1,
    };
  };

  const limitNesting = (nesting: number): void => {
    if (nesting > maxNesting) {
      throw requestError('PARSING_ERROR', `The operation nests more than ${maxNesting} selection sets`);
    }
  };

  const countSelection = (selection: SelectionNode, names: Set<string>): Count => {
    if (selection.kind === Kind.FIELD) {
      return countField(selection, names);
    }
    return selection.kind === Kind.INLINE_FRAGMENT
      ? countSelections(selection.selectionSet)
      : countFragment(selection.name.value);
  };

  /** `names` are the response names of the preceding fields of the same selection set. */
  const countField = (field: FieldNode, names: Set<string>): Count => {
    const { name, alias, selectionSet } = field;
    const below = selectionSet === undefined ? nothing : countSelections(selectionSet);
    const responseName = responseNameOf(field);
    const isNew = !names.has(responseName);
    names.add(responseName);
    return {
      depth: below.depth + 1,
      height: saturated(below.height + (isNew ? 1 : 0)),
      aliases: saturated(below.aliases + (alias === undefined ? 0 : 1)),
      fields: 1,
      selections: below.selections,
      nesting: below.nesting,
      isIntrospection: name.value.startsWith('__'),
    };
  };

  const countFragment = (name: string): Count => {
    const known = counted.get(name);
    const selectionSet = fragments.get(name)?.selectionSet;
    if (known !== undefined || selectionSet === undefined) {
      limitNesting(around + (known ?? nothing).nesting);
      return known ?? nothing;
    }
    counted.set(name, nothing);
    const count = countSelections(selectionSet);
    counted.set(name, count);
    return count;
  };

  const { depth, height, aliases, fields, selections, isIntrospection } = countSelections(
    operation.selectionSet,
  );
  return { depth, height, aliases, rootFields: fields, selections, isPureIntrospection: isIntrospection };
}

function combined(one: Count, other: Count): Count {
  return {
    depth: Math.max(one.depth, other.depth),
    height: saturated(one.height + other.height),
    aliases: saturated(one.aliases + other.aliases),
    fields: saturated(one.fields + other.fields),
    selections: saturated(one.selections + other.selections),
    nesting: Math.max(one.nesting, other.nesting),
    isIntrospection: one.isIntrospection && other.isIntrospection,
  };
}

function saturated(count: number): number {
  return Math.min(count, Number.MAX_SAFE_INTEGER);
}
