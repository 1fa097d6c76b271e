import { fieldNamesOf } from '../supergraph/field-set.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { EntityField } from './entity-document.ts';
import { entityFields, keepEntityFields, keepRequired, partOfFetch } from './entity-document.ts';
import type { FetchStep, ParallelStep, RequiredSelection } from './plan.ts';
import { fieldsOf } from '../supergraph/schema-types.ts';

/**
 * Splits a fetch of entities whose representations would need one field with different arguments, for different fields
 * of the entity: each part gets the representations that its fields require. They run at the same time.
 */
export function splitFetch(fetch: FetchStep, supergraph: Supergraph): FetchStep | ParallelStep {
  const rivals = rivalFields(fetch.requires ?? []);
  if (rivals.length === 0) {
    return fetch;
  }
  const contested = new Set(rivals.flatMap((names) => [...names]));
  const parts: Part[] = [];
  for (const { typeName, name, key } of entityFields(fetch.document)) {
    const required = supergraph.subgraphTypes.requiresOf(fetch.subgraph, typeName, name);
    const names = required === undefined ? new Set() : fieldNamesOf(required);
    const needs = new Set([...contested].filter((one) => names.has(one)));
    const part = parts.find((candidate) => fits(candidate.needs, needs, rivals));
    if (part === undefined) {
      parts.push({ needs, fields: new Set([key]) });
    } else {
      part.fields.add(key);
      needs.forEach((one) => part.needs.add(one));
    }
  }
  return {
    kind: 'parallel',
    steps: parts.map(({ needs, fields }) => {
      const isKept = ({ name, key }: EntityField): boolean => name === '__typename' || fields.has(key);
      const { document, requires = [] } = withFields(fetch, isKept, supergraph);
      const isNeeded = ({ planName }: { readonly planName: string }): boolean =>
        !contested.has(planName) || needs.has(planName);
      return partOfFetch(fetch, document, keepRequired(requires, isNeeded));
    }),
  };
}

interface Part {
  /** The contested fields that it requires. */
  readonly needs: Set<string>;
  /** The keys of its entity fields. */
  readonly fields: Set<string>;
}

/** Names in the data that would have one name in a representation. */
function rivalFields(required: readonly RequiredSelection[]): readonly ReadonlySet<string>[] {
  const byPath = new Map<string, Set<string>>();
  const walk = (selections: readonly RequiredSelection[], path: string): void => {
    for (const selection of selections) {
      if (selection.kind === 'fragment') {
        walk(selection.selections, path);
      } else {
        const shape = `${path}/${selection.name}`;
        const names = byPath.get(shape) ?? new Set();
        byPath.set(shape, names.add(selection.planName));
        walk(selection.selections ?? [], shape);
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

/**
 * The part of a fetch of entities with some of its fields, without the inputs that none of these requires: it would wait
 * for them.
 */
export function withFields(
  fetch: FetchStep,
  isKept: (field: EntityField) => boolean,
  { schema, subgraphTypes }: Supergraph,
): FetchStep {
  const { document, requires = [], subgraph } = fetch;
  const kept = keepEntityFields(document, isKept);
  const inputsOf = (typeName: string, name: string): readonly string[] => {
    const set = subgraphTypes.requiresOf(subgraph, typeName, name);
    return set === undefined ? [] : [...fieldNamesOf(set)];
  };
  const types = new Set([
    ...entityFields(document).map(({ typeName }) => typeName),
    ...requires.flatMap((one) => (one.kind === 'fragment' ? (one.typeCondition ?? []) : [])),
  ]);
  const needed = new Set([
    ...entityFields(kept).flatMap(({ typeName, name }) => inputsOf(typeName, name)),
    ...[...types].flatMap((typeName) =>
      subgraphTypes.keysOf(subgraph, typeName).flatMap((key) => Array.from(fieldNamesOf(key))),
    ),
  ]);
  const inputs = new Set(
    [...types].flatMap((typeName) =>
      Object.keys(fieldsOf(schema.getType(typeName))).flatMap((name) => inputsOf(typeName, name)),
    ),
  );
  const representations = keepRequired(
    requires,
    ({ planName }) => planName === '__typename' || needed.has(planName) || !inputs.has(planName),
  );
  return partOfFetch(fetch, kept, representations);
}
