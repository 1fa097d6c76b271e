import type { SelectionSetNode } from 'graphql';
import { Kind, isInterfaceType } from 'graphql';

import type { FetchStep, OperationPlan, PlanStep, Supergraph } from '../../src/index.ts';

/**
 * `external-field`: where `@requires` go from one subgraph to another and back, the planner asks a subgraph for a field that
 * is only `@external` there.
 *
 * `interface-object-requires`: where an interface object's field with `@requires` is selected for one implementer and another
 * of its fields for all, the planner requires the input of all, though it fetched it for the one.
 */
export type PlannerFault = 'external-field' | 'interface-object-requires';

/**
 * What Apollo's planner is known to get wrong and this package does not put right yet; undefined for a plan that is held to
 * the data.
 */
export function plannerFaultOf({ root }: OperationPlan, supergraph: Supergraph): PlannerFault | undefined {
  const fetches = fetchesOf(root);
  if (fetches.some((fetch) => asksForExternalField(fetch, supergraph))) {
    return 'external-field';
  }
  return fetches.some((fetch) => requiresOfAllAndOfOne(fetch, supergraph))
    ? 'interface-object-requires'
    : undefined;
}

function requiresOfAllAndOfOne({ requires = [] }: FetchStep, { schema }: Supergraph): boolean {
  const conditions = requires.flatMap((selection) =>
    selection.kind === 'fragment' ? [selection.typeCondition] : [],
  );
  const types = conditions.map((name) => schema.getType(name ?? ''));
  return types.some(
    (type) =>
      isInterfaceType(type) && schema.getPossibleTypes(type).some((possible) => types.includes(possible)),
  );
}

function fetchesOf(step: PlanStep | undefined): readonly FetchStep[] {
  if (step === undefined) {
    return [];
  }
  return step.kind === 'fetch' ? [step] : step.steps.flatMap(fetchesOf);
}

function asksForExternalField({ document, requires, subgraph }: FetchStep, supergraph: Supergraph): boolean {
  if (requires === undefined) {
    return false;
  }
  return document.definitions.some(
    (definition) =>
      definition.kind === Kind.OPERATION_DEFINITION &&
      definition.selectionSet.selections.some(
        (field) =>
          field.kind === Kind.FIELD &&
          field.selectionSet !== undefined &&
          hasExternalField(field.selectionSet, undefined, subgraph, supergraph),
      ),
  );
}

/** Of the entity's own fields: what is below may be provided. */
function hasExternalField(
  set: SelectionSetNode,
  typeName: string | undefined,
  subgraph: string,
  supergraph: Supergraph,
): boolean {
  return set.selections.some((selection) => {
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      const condition = selection.typeCondition?.name.value ?? typeName;
      return hasExternalField(selection.selectionSet, condition, subgraph, supergraph);
    }
    const astNode = typeName === undefined ? undefined : supergraph.schema.getType(typeName)?.astNode;
    const fields =
      astNode !== undefined && astNode !== null && 'fields' in astNode ? astNode.fields : undefined;
    const field = fields?.find(
      (definition) => selection.kind === Kind.FIELD && definition.name.value === selection.name.value,
    );
    return (
      field?.directives?.some(({ name, arguments: nodes = [] }) => {
        const graph = nodes.find((node) => node.name.value === 'graph')?.value;
        const external = nodes.find((node) => node.name.value === 'external')?.value;
        return (
          name.value === 'join__field' &&
          graph?.kind === Kind.ENUM &&
          graph.value.toLowerCase() === subgraph &&
          external?.kind === Kind.BOOLEAN &&
          external.value
        );
      }) ?? false
    );
  });
}
