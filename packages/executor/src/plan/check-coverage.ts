// The last word on a plan: each field that the client selected is in some fetch. What is in none would be a null that looks
// like data.
import type { GraphQLSchema, SelectionSetNode } from 'graphql';
import { Kind, getNamedType, isInterfaceType, isObjectType } from 'graphql';

import { OperationError } from '../operation/operation.ts';
import type { SelectionSet } from '../operation/selection.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { possibleTypes } from '../supergraph/possible-types.ts';
import type { FetchStep, OperationKind, PlanStep } from './plan.ts';

/** What the fetches of a plan bring to one place of the data. */
interface Place {
  /** The types that a value here can have, as far as the subgraphs that it comes from can tell. */
  readonly types: Set<string>;
  /** By plan name. */
  readonly fields: Map<string, { readonly parentTypes: Set<string>; readonly place: Place }>;
}

/**
 * Checks that a plan fetches all that was selected.
 *
 * @throws {OperationError} where it does not
 */
export function checkCoverage(
  supergraph: Supergraph,
  root: PlanStep | undefined,
  { operationKind, selections }: { readonly operationKind: OperationKind; readonly selections: SelectionSet },
): void {
  const { schema } = supergraph;
  const rootType = operationKind === 'query' ? schema.getQueryType() : schema.getMutationType();
  const rootTypes = new Set(rootType ? [rootType.name] : []);
  const place: Place = { types: rootTypes, fields: new Map() };
  for (const fetch of fetchesOf(root)) {
    addFetch(place, fetch, supergraph);
  }
  checkSet(selections, rootTypes, place);

  function checkSet(set: SelectionSet, types: ReadonlySet<string>, at: Place): void {
    for (const selection of set) {
      if (selection.kind === 'fragment') {
        const { typeCondition } = selection;
        checkSet(
          selection.selections,
          typeCondition === undefined ? types : common(types, possibleTypes(schema, typeCondition)),
          at,
        );
        continue;
      }
      // Narrowed to types that cannot be here, it is in no fetch, and in no answer.
      if (types.size === 0 || selection.fieldName.startsWith('__')) {
        continue;
      }
      const field = at.fields.get(selection.planName);
      if (field === undefined || common(field.parentTypes, types).size === 0) {
        throw new OperationError(`The field "${selection.responseName}" cannot be planned`);
      }
      checkSet(selection.selections, field.place.types, field.place);
    }
  }
}

/** The fetches of a plan, in the order in which they are written. */
function fetchesOf(step: PlanStep | undefined): readonly FetchStep[] {
  if (step === undefined) {
    return [];
  }
  return step.kind === 'fetch' ? [step] : step.steps.flatMap(fetchesOf);
}

function addFetch(root: Place, fetch: FetchStep, { schema, subgraphTypes }: Supergraph): void {
  const targetNames = new Map(fetch.renames.map(({ from, to }) => [from, to]));
  let target = root;
  for (const { name } of fetch.path) {
    target = name === '' ? target : (target.fields.get(name)?.place ?? target);
  }

  const addSet = (set: SelectionSetNode, typeName: string, place: Place): void => {
    for (const selection of set.selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        addSet(selection.selectionSet, selection.typeCondition?.name.value ?? typeName, place);
      } else if (selection.kind === Kind.FIELD) {
        const answerName = (selection.alias ?? selection.name).value;
        const name = targetNames.get(answerName) ?? answerName;
        const field = place.fields.get(name) ?? {
          parentTypes: new Set(),
          place: { types: new Set(), fields: new Map() },
        };
        place.fields.set(name, field);
        possibleTypes(schema, typeName).forEach((type) => field.parentTypes.add(type));
        const fieldType = fieldTypeOf(schema, typeName, selection.name.value);
        if (selection.selectionSet !== undefined && fieldType !== undefined) {
          subgraphTypes.possibleIn(fetch.subgraph, fieldType).forEach((type) => field.place.types.add(type));
          addSet(selection.selectionSet, fieldType, field.place);
        }
      }
    }
  };

  for (const definition of fetch.document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) {
      continue;
    }
    const rootType = fetch.operationKind === 'query' ? schema.getQueryType() : schema.getMutationType();
    const [entities] = definition.selectionSet.selections;
    if (fetch.requires === undefined) {
      addSet(definition.selectionSet, rootType?.name ?? '', target);
    } else if (entities?.kind === Kind.FIELD && entities.selectionSet !== undefined) {
      addSet(entities.selectionSet, '', target);
    }
  }
}

function fieldTypeOf(schema: GraphQLSchema, typeName: string, fieldName: string): string | undefined {
  const type = schema.getType(typeName);
  const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[fieldName] : undefined;
  return field && getNamedType(field.type).name;
}

function common(one: ReadonlySet<string>, other: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...one].filter((name) => other.has(name)));
}
