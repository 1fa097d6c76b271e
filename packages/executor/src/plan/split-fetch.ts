import type { DocumentNode, SelectionNode, SelectionSetNode } from 'graphql';
import { Kind, parse, print, stripIgnoredCharacters, visit } from 'graphql';

import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { FetchStep, ParallelStep, RequiredSelection } from './plan.ts';

/**
 * Splits a fetch of entities whose representations would need one field with different arguments, for different fields of the
 * entity: each part gets the representations that its fields require. They run at the same time.
 */
export function splitFetch(fetch: FetchStep, supergraph: Supergraph): FetchStep | ParallelStep {
  const rivals = rivalFields(fetch.requires ?? []);
  if (rivals.length === 0) {
    return fetch;
  }
  const contested = new Set(rivals.flatMap((names) => [...names]));
  const parts: Part[] = [];
  for (const field of entityFields(fetch.document)) {
    const required = requiredNames(fetch.subgraph, field, supergraph);
    const needs = new Set([...contested].filter((name) => required.has(name)));
    const part = parts.find((candidate) => fits(candidate.needs, needs, rivals));
    if (part === undefined) {
      parts.push({ needs, fields: new Set([field.key]) });
    } else {
      part.fields.add(field.key);
      needs.forEach((name) => part.needs.add(name));
    }
  }
  return { kind: 'parallel', steps: parts.map((part) => fetchPart(fetch, part, contested)) };
}

interface Part {
  /** The contested fields that it requires. */
  readonly needs: Set<string>;
  /** The keys of its entity fields. */
  readonly fields: Set<string>;
}

interface EntityField {
  readonly typeName: string;
  readonly name: string;
  readonly key: string;
}

/** Names in the data that would have one name in a representation. */
function rivalFields(required: readonly RequiredSelection[]): readonly ReadonlySet<string>[] {
  const byPath = new Map<string, Set<string>>();
  const walk = (selections: readonly RequiredSelection[], path: string): void => {
    for (const selection of selections) {
      if (selection.kind === 'fragment') {
        walk(selection.selections, path);
      } else {
        const place = `${path}/${selection.name}`;
        const names = byPath.get(place) ?? new Set();
        byPath.set(place, names.add(selection.planName));
        walk(selection.selections ?? [], place);
      }
    }
  };
  walk(required, '');
  return [...byPath.values()].filter((names) => names.size > 1);
}

function fits(
  has: ReadonlySet<string>,
  needs: ReadonlySet<string>,
  rivals: readonly ReadonlySet<string>[],
): boolean {
  const both = new Set([...has, ...needs]);
  return rivals.every((names) => [...names].filter((name) => both.has(name)).length <= 1);
}

function requiredNames(
  subgraph: string,
  { typeName, name }: EntityField,
  { subgraphTypes }: Supergraph,
): ReadonlySet<string> {
  const names = new Set<string>();
  const fields = subgraphTypes.requiresOf(subgraph, typeName, name);
  if (fields !== undefined) {
    visit(parse(`{${fields}}`), { Field: (node) => void names.add(node.name.value) });
  }
  return names;
}

function entityFields(document: DocumentNode): readonly EntityField[] {
  const fields: EntityField[] = [];
  mapEntityFields(document, (field) => {
    fields.push(field);
    return true;
  });
  return fields;
}

function fetchPart(fetch: FetchStep, { needs, fields }: Part, contested: ReadonlySet<string>): FetchStep {
  const document = withoutUnusedVariables(
    mapEntityFields(fetch.document, ({ name, key }) => name === '__typename' || fields.has(key)),
  );
  const used = variablesOf(document);
  return {
    ...fetch,
    document,
    text: stripIgnoredCharacters(print(document)),
    variables: fetch.variables.filter(({ name }) => used.has(name)),
    requires: keepRequired(
      fetch.requires ?? [],
      ({ planName }) => !contested.has(planName) || needs.has(planName),
    ),
  };
}

function keepRequired(
  selections: readonly RequiredSelection[],
  isKept: (field: { readonly planName: string }) => boolean,
): readonly RequiredSelection[] {
  return selections.flatMap((selection): RequiredSelection[] => {
    if (selection.kind === 'fragment') {
      return [{ ...selection, selections: keepRequired(selection.selections, isKept) }];
    }
    return isKept(selection)
      ? [{ ...selection, selections: selection.selections && keepRequired(selection.selections, isKept) }]
      : [];
  });
}

/** The document with those fields of its entities that are kept. */
function mapEntityFields(document: DocumentNode, isKept: (field: EntityField) => boolean): DocumentNode {
  const mapSet = (set: SelectionSetNode, typeName: string): SelectionSetNode => ({
    ...set,
    selections: set.selections.flatMap((selection): SelectionNode[] => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        return [selection];
      }
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        const below = mapSet(selection.selectionSet, selection.typeCondition?.name.value ?? typeName);
        return below.selections.length === 0 ? [] : [{ ...selection, selectionSet: below }];
      }
      const key = `${typeName} ${(selection.alias ?? selection.name).value}`;
      return isKept({ typeName, name: selection.name.value, key }) ? [selection] : [];
    }),
  });
  return visit(document, {
    Field: (node) =>
      node.name.value === '_entities' && node.selectionSet !== undefined
        ? { ...node, selectionSet: mapSet(node.selectionSet, '_Entity') }
        : false,
  });
}

function withoutUnusedVariables(document: DocumentNode): DocumentNode {
  const used = variablesOf(document);
  return visit(document, {
    VariableDefinition: (node) => (used.has(node.variable.name.value) ? undefined : null),
  });
}

function variablesOf(document: DocumentNode): ReadonlySet<string> {
  const names = new Set<string>();
  visit(document, {
    VariableDefinition: () => false,
    Variable: (node) => void names.add(node.name.value),
  });
  return names;
}
