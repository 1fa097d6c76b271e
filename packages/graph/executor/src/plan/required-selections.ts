import type { GraphQLSchema, SelectionNode, SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';

import type { SelectedField, SelectionSet } from '../operation/selection.ts';
import { fieldsWhere } from '../operation/selection.ts';
import { isOfType } from '../supergraph/schema-types.ts';
import type { ContextVariable, FetchStep, PathStep, RequiredField, RequiredSelection } from './plan.ts';
import { responseNameOf } from '../operation/graphql-document.ts';
import type { SyntheticFields } from '../supergraph/synthetic-fields.ts';

/** The selections that a plan needs at one place of the data: the client's, and the inputs of fetches. */
export interface RequiredSelections {
  readonly selected: readonly SelectionSet[];
  readonly required: readonly (readonly RequiredSelection[])[];
  /** The inputs of fetches for objects further down, with the way to them. */
  readonly descendants: readonly Input[];
  readonly schema: GraphQLSchema;
}

interface Input {
  readonly path: readonly PathStep[];
  readonly requires: readonly RequiredSelection[];
}

export interface RequiredSelectionsOptions {
  /** All fetches of the plan. */
  readonly fetches: readonly FetchStep[];
  readonly selections: SelectionSet;
  readonly schema: GraphQLSchema;
}

/** A choice among the types that objects on a path can have. */
export interface Narrowing {
  /** The step of the path that leads to them. */
  readonly index: number;
  readonly type: string;
}

/** The needed selections of the objects at a path. */
export function requiredSelectionsAt(
  path: readonly PathStep[],
  { fetches, selections, schema }: RequiredSelectionsOptions,
  narrowing?: Narrowing,
): RequiredSelections {
  const descendants = fetches.flatMap(inputsOf);
  const nothing: RequiredSelections = { selected: [], required: [], descendants: [], schema };
  return path.reduce<RequiredSelections>(
    (requiredHere, { name }, index) => {
      const type = narrowing?.index === index - 1 ? narrowing.type : undefined;
      return name === '' ? requiredHere : (requiredSelectionsOf(requiredHere, name, type) ?? nothing);
    },
    { ...nothing, selected: [selections], descendants },
  );
}

function inputsOf({ path, requires, contextVariables }: FetchStep): readonly Input[] {
  const names = withNames(path);
  const inContexts = contextVariables.map(({ levels, ways }): Input => ({
    path: names.slice(0, names.length - levels),
    requires: ways.map(requiredOnWay),
  }));
  return requires === undefined ? inContexts : [{ path: names, requires }, ...inContexts];
}

function requiredOnWay(way: ContextVariable['ways'][number]): RequiredSelection {
  const [step, ...rest] = way;
  const selections = rest.length === 0 ? undefined : [requiredOnWay(rest)];
  return step?.kind === 'field'
    ? { kind: 'field', planName: step.name, name: step.name, selections }
    : { kind: 'fragment', typeCondition: step?.name, selections: selections ?? [] };
}

/** True when anything is required at all. */
export function isRequired({ selected, required, descendants }: RequiredSelections): boolean {
  return selected.length > 0 || required.length > 0 || descendants.length > 0;
}

/** Reduces a selection of objects of a type to the needed fields. */
export function pruneToRequired(
  set: SelectionSetNode,
  requiredHere: RequiredSelections,
  type: string | undefined,
  namesInData: ReadonlyMap<string, string>,
): SelectionSetNode {
  const prune = (selection: SelectionNode): SelectionNode[] => {
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      const selectionSet = pruneToRequired(selection.selectionSet, requiredHere, type, namesInData);
      return selectionSet.selections.length === 0 ? [] : [{ ...selection, selectionSet }];
    }
    const responseName = selection.kind === Kind.FIELD ? responseNameOf(selection) : '';
    if (selection.kind === Kind.FRAGMENT_SPREAD || responseName === '__typename') {
      return [selection];
    }
    const below = requiredSelectionsOf(requiredHere, namesInData.get(responseName) ?? responseName, type);
    if (below === undefined || selection.selectionSet === undefined) {
      return below === undefined ? [] : [selection];
    }
    const selectionSet = pruneToRequired(selection.selectionSet, below, undefined, namesInData);
    return [selectionSet.selections.length === 0 ? selection : { ...selection, selectionSet }];
  };
  return { ...set, selections: set.selections.flatMap(prune) };
}

/**
 * The needed selections below a field of objects of a type, or of any type when it is unknown; undefined when
 * the field itself is not needed.
 */
function requiredSelectionsOf(
  requiredHere: RequiredSelections,
  planName: string,
  type: string | undefined,
): RequiredSelections | undefined {
  const { schema, descendants } = requiredHere;
  const isMet = (condition: string | undefined): boolean =>
    type === undefined || condition === undefined || isOfType(schema, type, condition);
  const here = descendants.flatMap(({ path, requires }) => (path.length === 0 ? [requires] : []));
  const selected = requiredHere.selected
    .flatMap((set) => fieldsWhere<SelectedField>(set, isMet))
    .filter((field) => field.planName === planName);
  const required = [...requiredHere.required, ...here]
    .flatMap((set) => fieldsWhere<RequiredField>(set, isMet))
    .filter((field) => field.planName === planName);
  if (selected.length === 0 && required.length === 0) {
    return undefined;
  }
  return {
    selected: selected.map(({ selections }) => selections),
    required: required.flatMap(({ selections }) => (selections === undefined ? [] : [selections])),
    descendants: descendants
      .filter(({ path }) => path[0]?.name === planName)
      .map(({ path, requires }) => ({ path: path.slice(1), requires })),
    schema,
  };
}

/** A path without the steps that only narrow it to types. */
function withNames(path: readonly PathStep[]): readonly PathStep[] {
  return path.filter(({ name }) => name !== '');
}

/** The required selections of a set of fields. */
export function requiredFromSet(
  { selections }: SelectionSetNode,
  syntheticFields: SyntheticFields,
): readonly RequiredSelection[] {
  return selections.flatMap((selection): RequiredSelection[] => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      return [];
    }
    const below =
      selection.selectionSet === undefined
        ? undefined
        : requiredFromSet(selection.selectionSet, syntheticFields);
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      return [
        { kind: 'fragment', typeCondition: selection.typeCondition?.name.value, selections: below ?? [] },
      ];
    }
    const planName = selection.name.value;
    const name = syntheticFields.get(planName)?.fieldName ?? planName;
    return [{ kind: 'field', planName, name, selections: below }];
  });
}
