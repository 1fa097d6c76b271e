import type { ConstDirectiveNode, DocumentNode } from 'graphql';
import { Kind, print } from 'graphql';

import { argumentOf, flagArgument, textArgument } from './directive-values.ts';
import { elementsOf } from './elements.ts';

/** A subgraph, as the supergraph knows it. */
export interface JoinedSubgraph {
  readonly name: string;
  readonly url: string;
}

/** A type in one subgraph. */
export interface TypeJoin {
  readonly subgraph: string;
  /** Its keys, and whether this subgraph resolves each. */
  readonly keys: ReadonlyMap<string, boolean>;
  readonly isInterfaceObject: boolean;
}

/** A field in one subgraph. */
export interface FieldJoin {
  readonly subgraph: string;
  /** False for a field that is overridden, or only declared for a key, a `@requires` or a `@provides`. */
  readonly isResolved: boolean;
  readonly isExternal: boolean;
  readonly requires: string | undefined;
  readonly provides: string | undefined;
  /** The subgraph that it is overridden from, with the label. */
  readonly override: string | undefined;
  readonly context: string | undefined;
}

/** The statements of a supergraph about its subgraphs. */
export interface Joins {
  readonly subgraphs: readonly JoinedSubgraph[];
  readonly types: ReadonlyMap<string, readonly TypeJoin[]>;
  /** By `Type.field`, of objects, interfaces and input objects. */
  readonly fields: ReadonlyMap<string, readonly FieldJoin[]>;
}

/** Reads the `join__` directives of a supergraph. */
export function readJoins(document: DocumentNode): Joins {
  const names = subgraphsByValue(document);
  const types = new Map<string, readonly TypeJoin[]>();
  const fields = new Map<string, readonly FieldJoin[]>();
  const subgraphOf = (directive: ConstDirectiveNode): string => {
    const value = textArgument(directive, 'graph') ?? '';
    return names.get(value)?.name ?? value;
  };
  for (const { coordinate, parent, node, directives } of elementsOf(document)) {
    if (parent === undefined) {
      const joined = directives.filter(({ name }) => name.value === 'join__type');
      if (joined.length > 0) {
        types.set(coordinate, typeJoins(joined, subgraphOf));
      }
    } else if (
      node.kind === Kind.FIELD_DEFINITION ||
      (node.kind === Kind.INPUT_VALUE_DEFINITION && types.has(parent))
    ) {
      const joined = directives.filter(({ name }) => name.value === 'join__field');
      fields.set(
        coordinate,
        joined.length > 0
          ? joined
              .filter((directive) => argumentOf(directive, 'graph') !== undefined)
              .map((directive) => fieldJoin(subgraphOf(directive), directive))
          : (types.get(parent) ?? []).map(({ subgraph }) => fieldJoin(subgraph, undefined)),
      );
    }
  }
  return { subgraphs: [...names.values()], types, fields };
}

function subgraphsByValue(document: DocumentNode): ReadonlyMap<string, JoinedSubgraph> {
  const names = new Map<string, JoinedSubgraph>();
  for (const { coordinate, parent, directives } of elementsOf(document)) {
    const joined = directives.find(({ name }) => name.value === 'join__graph');
    if (parent === 'join__Graph' && joined !== undefined) {
      const value = coordinate.slice(parent.length + 1);
      names.set(value, {
        name: textArgument(joined, 'name') ?? value,
        url: textArgument(joined, 'url') ?? '',
      });
    }
  }
  return names;
}

function typeJoins(
  directives: readonly ConstDirectiveNode[],
  subgraphOf: (directive: ConstDirectiveNode) => string,
): readonly TypeJoin[] {
  return [...Map.groupBy(directives, subgraphOf)].map(([subgraph, joined]) => ({
    subgraph,
    keys: new Map(
      joined.flatMap((directive) => {
        const key = textArgument(directive, 'key');
        return key === undefined
          ? []
          : [[normalized(key), flagArgument(directive, 'resolvable') ?? true] as const];
      }),
    ),
    isInterfaceObject: joined.some((directive) => flagArgument(directive, 'isInterfaceObject') ?? false),
  }));
}

/** @param directive absent for a field that the subgraph defines like any other of its type */
function fieldJoin(subgraph: string, directive: ConstDirectiveNode | undefined): FieldJoin {
  const textOf = (name: string): string | undefined => directive && textArgument(directive, name);
  const isTrue = (name: string): boolean => directive !== undefined && flagArgument(directive, name) === true;
  const [requires, provides, from, label] = ['requires', 'provides', 'override', 'overrideLabel'].map(textOf);
  const contexts = directive && argumentOf(directive, 'contextArguments');
  return {
    subgraph,
    isResolved: !isTrue('external') && !isTrue('usedOverridden'),
    isExternal: isTrue('external'),
    requires: requires && normalized(requires),
    provides: provides && normalized(provides),
    override: from && `from ${from}${label === undefined ? '' : `, ${label}`}`,
    context: contexts && print(contexts),
  };
}

/** A field set with one space between its tokens: composition keeps the writing of the subgraph. */
function normalized(fieldSetText: string): string {
  return fieldSetText.trim().split(/\s+/u).join(' ');
}
