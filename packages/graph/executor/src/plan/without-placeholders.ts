// The planner takes a placeholder type for a type of its interface. In a plan, the interface has its place: the objects are
// known as such. Where the planner looks one up to learn its type, there is nothing to learn.
import type { DocumentNode } from 'graphql';
import { print, stripIgnoredCharacters, visit } from 'graphql';

import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { isUntyped } from '../supergraph/schema-types.ts';
import type { EntityField } from './entity-document.ts';
import { entityFields, keepEntityFields, partOfFetch } from './entity-document.ts';
import type { FetchStep, PlanStep, RequiredSelection } from './plan.ts';

/** The plan without placeholder types; undefined where nothing is left to fetch. */
export function withoutPlaceholders(root: PlanStep, supergraph: Supergraph): PlanStep | undefined {
  const { placeholders } = supergraph;
  if (placeholders.size === 0) {
    return root;
  }
  const typeOf = (name: string): string => placeholders.get(name) ?? name;
  const rewrite = (step: PlanStep): readonly PlanStep[] => {
    if (step.kind !== 'fetch') {
      const steps = step.steps.flatMap(rewrite);
      return steps.length === 0 ? [] : [{ ...step, steps }];
    }
    const fetch = withTypes(step, typeOf);
    const isKept = (field: EntityField): boolean => !isKnown(field, fetch.subgraph, supergraph);
    if (fetch.requires === undefined || entityFields(fetch.document).every(isKept)) {
      return [fetch];
    }
    const document = keepEntityFields(fetch.document, isKept);
    return entityFields(document).length === 0 ? [] : [partOfFetch(fetch, document, fetch.requires)];
  };
  return rewrite(root)[0];
}

/** True for a field that a representation has, asked of a subgraph that has no such objects. */
function isKnown(
  { typeName, name }: EntityField,
  subgraph: string,
  { schema, subgraphTypes }: Supergraph,
): boolean {
  return (
    isUntyped(schema, schema.getType(typeName)) &&
    !subgraphTypes.isObject(subgraph, typeName) &&
    (name === '__typename' || subgraphTypes.keyFields(typeName).has(name))
  );
}

/** The fetch with other names for the types. */
function withTypes(fetch: FetchStep, typeOf: (name: string) => string): FetchStep {
  const document: DocumentNode = visit(fetch.document, {
    NamedType: (node) => ({ ...node, name: { ...node.name, value: typeOf(node.name.value) } }),
  });
  const required = (selection: RequiredSelection): RequiredSelection =>
    selection.kind === 'field'
      ? { ...selection, selections: selection.selections?.map(required) }
      : {
          ...selection,
          typeCondition: selection.typeCondition && typeOf(selection.typeCondition),
          selections: selection.selections.map(required),
        };
  return {
    ...fetch,
    document,
    text: stripIgnoredCharacters(print(document)),
    path: fetch.path.map(({ name, types }) => ({ name, types: types?.map(typeOf) })),
    requires: fetch.requires?.map(required),
    typenameRewrites: fetch.typenameRewrites.map(({ type, typename }) => ({
      type: typeOf(type),
      typename: typeOf(typename),
    })),
    renames: fetch.renames.map((rename) => ({
      ...rename,
      path: rename.path.map((step) =>
        step.kind === 'type' ? { kind: step.kind, name: typeOf(step.name) } : step,
      ),
    })),
  };
}
