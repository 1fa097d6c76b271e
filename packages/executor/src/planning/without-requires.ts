// For operations that the planner fails on because of their `@requires`, as it does where an entity is reached by keys that
// come from other subgraphs. It is given a supergraph without them, and an operation that selects what they require, so that
// it plans fetches for all of it. `repairInputs` knows which of these fetches need which, and orders them.
import type { DocumentNode, FieldNode, GraphQLSchema, SelectionNode, SelectionSetNode } from 'graphql';
import { Kind, buildASTSchema, getNamedType, isInterfaceType, isObjectType, visit } from 'graphql';

import { parseFieldSet } from '../supergraph/field-set.ts';
import { stringArgument } from '../supergraph/join-directives.ts';
import { possibleTypes } from '../supergraph/possible-types.ts';
import { findRootType } from '../supergraph/schema-types.ts';

/** A supergraph, as the planner gets it, without `@requires`. */
export function withoutRequires(plannerSchema: DocumentNode): DocumentNode {
  return visit(plannerSchema, {
    Directive(node) {
      return node.name.value === 'join__field' && stringArgument(node, 'requires') !== undefined
        ? { ...node, arguments: node.arguments?.filter(({ name }) => name.value !== 'requires') }
        : undefined;
    },
  });
}

/** Adds what the `@requires` of an operation require; undefined where it has none. */
export type AddRequired = (operation: DocumentNode) => DocumentNode | undefined;

export function createAddRequired(plannerSchema: DocumentNode): AddRequired {
  const schema = buildASTSchema(plannerSchema, { assumeValid: true, assumeValidSDL: true });
  const required = requiredSets(plannerSchema);
  return (operation) => {
    let isChanged = false;

    const add = (set: SelectionSetNode, typeName: string, above: readonly string[]): SelectionSetNode => ({
      ...set,
      selections: set.selections.flatMap((selection): readonly SelectionNode[] => {
        if (selection.kind === Kind.FRAGMENT_SPREAD) {
          return [selection];
        }
        if (selection.kind === Kind.INLINE_FRAGMENT) {
          const condition = selection.typeCondition?.name.value ?? typeName;
          return [{ ...selection, selectionSet: add(selection.selectionSet, condition, above) }];
        }
        return [addBelow(selection, typeName), ...addedFor(selection, typeName, above)];
      }),
    });

    const addBelow = (field: FieldNode, typeName: string): FieldNode => {
      const type = schema.getType(typeName);
      const fields = isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
      const definition = fields[field.name.value];
      return field.selectionSet === undefined || definition === undefined
        ? field
        : { ...field, selectionSet: add(field.selectionSet, getNamedType(definition.type).name, []) };
    };

    /** The inputs of a field, for each type of its object that needs some, and theirs. */
    const addedFor = (
      { name }: FieldNode,
      typeName: string,
      above: readonly string[],
    ): readonly SelectionNode[] =>
      [...new Set([typeName, ...possibleTypes(schema, typeName)])].flatMap((type) => {
        const place = `${type}.${name.value}`;
        return (above.includes(place) ? [] : (required.get(place) ?? [])).map((set): SelectionNode => {
          isChanged = true;
          return {
            kind: Kind.INLINE_FRAGMENT,
            typeCondition: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: type } },
            selectionSet: add(set, type, [...above, place]),
          };
        });
      });

    const changed: DocumentNode = {
      ...operation,
      definitions: operation.definitions.map((definition) => {
        const root =
          definition.kind === Kind.OPERATION_DEFINITION ? rootTypeName(schema, definition.operation) : '';
        return definition.kind === Kind.OPERATION_DEFINITION
          ? { ...definition, selectionSet: add(definition.selectionSet, root, []) }
          : definition;
      }),
    };
    return isChanged ? changed : undefined;
  };
}

function rootTypeName(schema: GraphQLSchema, operation: string): string {
  return operation === 'subscription'
    ? ''
    : (findRootType(schema, operation === 'mutation' ? 'mutation' : 'query')?.name ?? '');
}

/** By `Type.field`. Each subgraph that resolves a field may require others for it. */
function requiredSets(plannerSchema: DocumentNode): ReadonlyMap<string, readonly SelectionSetNode[]> {
  const sets = new Map<string, SelectionSetNode[]>();
  for (const definition of plannerSchema.definitions) {
    if (
      definition.kind !== Kind.OBJECT_TYPE_DEFINITION &&
      definition.kind !== Kind.INTERFACE_TYPE_DEFINITION
    ) {
      continue;
    }
    for (const { name, directives = [] } of definition.fields ?? []) {
      const texts = directives.flatMap((directive) =>
        directive.name.value === 'join__field' ? (stringArgument(directive, 'requires') ?? []) : [],
      );
      if (texts.length > 0) {
        sets.set(`${definition.name.value}.${name.value}`, texts.map(parseFieldSet));
      }
    }
  }
  return sets;
}
