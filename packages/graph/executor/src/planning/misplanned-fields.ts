import type { ConstDirectiveNode, DocumentNode, FieldNode, SelectionSetNode, TypeNode } from 'graphql';
import { Kind } from 'graphql';

import { parseFieldSet } from '../supergraph/field-set.ts';
import { argumentOf, booleanArgument, isFielded, stringArgument } from '../supergraph/join-directives.ts';

/**
 * The fields, as `Type.field`, for which the planner asks a subgraph for what only others resolve. Their `@requires`
 * leads through a field that the subgraph resolves too, such as one of its key, to an object without a key there:
 * `@key(fields: "edition { isbn }")` and `@requires(fields: "edition { title }")`.
 */
export function misplannedFields({ definitions }: DocumentNode): ReadonlySet<string> {
  const fielded = definitions.filter(isFielded);
  const types = new Map(fielded.map((type) => [type.name.value, type]));
  const fieldOf = (typeName: string, name: string) =>
    types.get(typeName)?.fields?.find((field) => field.name.value === name);

  const leavesSubgraph = (
    set: SelectionSetNode,
    typeName: string,
    graph: string,
    isBelow: boolean,
  ): boolean =>
    set.selections.some((selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        return false;
      }
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        const narrowed = selection.typeCondition?.name.value ?? typeName;
        return leavesSubgraph(selection.selectionSet, narrowed, graph, isBelow);
      }
      return isLeft(selection, typeName, graph)
        ? isBelow && !hasKey(types.get(typeName)?.directives, graph)
        : leavesBelow(selection, typeName, graph);
    });

  const isLeft = ({ name }: FieldNode, typeName: string, graph: string): boolean =>
    joinsOf(fieldOf(typeName, name.value)?.directives, 'field', graph).some((join) =>
      booleanArgument(join, 'external'),
    );

  const leavesBelow = ({ name, selectionSet }: FieldNode, typeName: string, graph: string): boolean => {
    const field = fieldOf(typeName, name.value);
    return (
      field !== undefined &&
      selectionSet !== undefined &&
      leavesSubgraph(selectionSet, namedType(field.type), graph, true)
    );
  };

  return new Set(
    fielded.flatMap(({ name: { value: typeName }, fields = [] }) =>
      fields
        .filter(({ directives = [] }) =>
          directives.some((join) => {
            const required = stringArgument(join, 'requires');
            const graph = graphOf(join);
            return (
              required !== undefined &&
              graph !== undefined &&
              leavesSubgraph(parseFieldSet(required), typeName, graph, false)
            );
          }),
        )
        .map(({ name }) => `${typeName}.${name.value}`),
    ),
  );
}

function hasKey(directives: readonly ConstDirectiveNode[] | undefined, graph: string): boolean {
  return joinsOf(directives, 'type', graph).some((join) => stringArgument(join, 'key') !== undefined);
}

function joinsOf(
  directives: readonly ConstDirectiveNode[] = [],
  kind: 'field' | 'type',
  graph: string,
): readonly ConstDirectiveNode[] {
  return directives.filter((join) => join.name.value === `join__${kind}` && graphOf(join) === graph);
}

function graphOf(join: ConstDirectiveNode): string | undefined {
  const graph = argumentOf(join, 'graph');
  return graph?.kind === Kind.ENUM ? graph.value : undefined;
}

function namedType(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : namedType(type.type);
}
