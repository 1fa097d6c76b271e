// For operations that the planner fails on because of their `@requires`, as it does where an entity is reached by keys that
// come from other subgraphs. It is given a supergraph without them, and an operation that selects what they require, so that
// it plans fetches for all of it. `repairInputs` knows which of these fetches need which, and orders them.
import type { ConstDirectiveNode, DocumentNode, FieldNode, SelectionNode, SelectionSetNode } from 'graphql';
import { Kind, buildASTSchema, visit } from 'graphql';

import { fragmentOn } from '../operation/graphql-document.ts';
import { parseFieldSet } from '../supergraph/field-set.ts';
import { contextArguments, isFielded, stringArgument } from '../supergraph/join-directives.ts';
import { fieldTypeName, typesAround } from '../supergraph/schema-types.ts';

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

/** The place of a selection set. */
interface Place {
  readonly typeName: string;
  /** Of this object and those above it: what contexts select of them, so far. */
  readonly above: readonly Set<SelectionNode>[];
  /** The fields whose inputs it belongs to. */
  readonly inputOf: readonly string[];
}

/** Adds what the `@requires` of an operation require. */
export type AddRequired = (operation: DocumentNode) => {
  readonly operation: DocumentNode;
  /** The fields, as `Type.field`, with something that was added for them. */
  readonly added: ReadonlySet<string>;
};

export function createAddRequired(plannerSchema: DocumentNode): AddRequired {
  const schema = buildASTSchema(plannerSchema, { assumeValid: true, assumeValidSDL: true });
  const required = requiredSets(plannerSchema);
  const inContexts = contextSelections(plannerSchema);
  return (operation) => {
    const added = new Set<string>();

    const add = (set: SelectionSetNode, place: Place): SelectionSetNode => ({
      ...set,
      selections: set.selections.flatMap((selection): readonly SelectionNode[] => {
        if (selection.kind === Kind.FRAGMENT_SPREAD) {
          return [selection];
        }
        if (selection.kind === Kind.INLINE_FRAGMENT) {
          const typeName = selection.typeCondition?.name.value ?? place.typeName;
          return [{ ...selection, selectionSet: add(selection.selectionSet, { ...place, typeName }) }];
        }
        return [addBelow(selection, place), ...addedFor(selection, place)];
      }),
    });

    const addBelow = (field: FieldNode, { typeName, above }: Place): FieldNode => {
      const fieldType = fieldTypeName(schema, typeName, field.name.value);
      if (field.selectionSet === undefined || fieldType === undefined) {
        return field;
      }
      const forContexts = new Set<SelectionNode>();
      const below = {
        typeName: fieldType,
        above: [...above, forContexts],
        inputOf: [],
      };
      const selectionSet = add(field.selectionSet, below);
      const inputs = [...forContexts].flatMap((one) => addedAt(one, below));
      return {
        ...field,
        selectionSet: { ...selectionSet, selections: [...selectionSet.selections, ...inputs] },
      };
    };

    /** The inputs of a field, for each type of its object that needs some, or whose interface object does, and theirs. */
    const addedFor = ({ name }: FieldNode, { typeName, above, inputOf }: Place): readonly SelectionNode[] =>
      typesAround(schema, typeName).flatMap((type) => {
        const coordinate = `${type}.${name.value}`;
        const selections = inContexts.get(coordinate) ?? [];
        above.forEach((forContexts) => selections.forEach((selection) => forContexts.add(selection)));
        return (inputOf.includes(coordinate) ? [] : (required.get(coordinate) ?? [])).map((set) => {
          added.add(coordinate);
          return fragmentOn(type, add(set, { typeName: type, above, inputOf: [...inputOf, coordinate] }));
        });
      });

    /** The inputs of what a context selects, at an object that may set it. */
    const addedAt = (selection: SelectionNode, place: Place): readonly SelectionNode[] => {
      if (selection.kind !== Kind.INLINE_FRAGMENT) {
        return selection.kind === Kind.FIELD ? addedFor(selection, place) : [];
      }
      const { typeCondition, selectionSet } = selection;
      const typeName = typeCondition?.name.value ?? place.typeName;
      return typesAround(schema, place.typeName).includes(typeName)
        ? selectionSet.selections.flatMap((one) => addedAt(one, { ...place, typeName }))
        : [];
    };

    const definitions = operation.definitions.map((definition) => {
      if (definition.kind !== Kind.OPERATION_DEFINITION) {
        return definition;
      }
      const typeName = schema.getRootType(definition.operation)?.name ?? '';
      return {
        ...definition,
        selectionSet: add(definition.selectionSet, { typeName, above: [], inputOf: [] }),
      };
    });
    return { operation: { ...operation, definitions }, added };
  };
}

/** By `Type.field`. Each subgraph that resolves a field may require others for it. */
function requiredSets(plannerSchema: DocumentNode): ReadonlyMap<string, readonly SelectionSetNode[]> {
  return byCoordinate(plannerSchema, (directive) => {
    const text = stringArgument(directive, 'requires');
    return text === undefined ? [] : [parseFieldSet(text)];
  });
}

/** By `Type.field`: what its arguments with `@fromContext` select of the objects above it. */
function contextSelections(plannerSchema: DocumentNode): ReadonlyMap<string, readonly SelectionNode[]> {
  return byCoordinate(plannerSchema, (directive) =>
    contextArguments(directive).flatMap(({ selection }) => parseFieldSet(selection).selections),
  );
}

/** By `Type.field`: the contents of its `join__field` directives. */
function byCoordinate<Item>(
  plannerSchema: DocumentNode,
  read: (directive: ConstDirectiveNode) => readonly Item[],
): ReadonlyMap<string, readonly Item[]> {
  const found = new Map<string, readonly Item[]>();
  for (const definition of plannerSchema.definitions) {
    if (isFielded(definition)) {
      for (const { name, directives = [] } of definition.fields ?? []) {
        const joins = directives.filter((directive) => directive.name.value === 'join__field');
        found.set(`${definition.name.value}.${name.value}`, joins.flatMap(read));
      }
    }
  }
  return found;
}
