import type { Supergraph } from '@meridian/executor';
import type { GraphQLField, GraphQLInputType, GraphQLSchema, SelectionSetNode } from 'graphql';
import {
  Kind,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  isSpecifiedScalarType,
  parse,
} from 'graphql';

import type { Annotated, ReadDirective } from './applied-directives.ts';
import { readerOf } from './applied-directives.ts';

/** The cost directives of a field. */
export interface FieldCost {
  /** One instance, without its selections. */
  readonly weight: number;
  /** The name of the type that it returns, lists aside. */
  readonly returns: string;
  readonly isList: boolean;
  readonly listSizes: readonly ListSize[];
  /** The fields of its parent that its `@requires` names. */
  readonly requires: SelectionSetNode | undefined;
  readonly argumentWeight: (name: string) => InputWeight | undefined;
  /** The values of arguments that are absent from an operation. */
  readonly argumentDefaults: Readonly<Record<string, unknown>>;
}

/** One `@listSize`. */
export interface ListSize {
  readonly assumedSize: number | undefined;
  /** Arguments, or paths into them such as `page.first`, whose value is the size. */
  readonly slicingArguments: readonly string[];
  /** The fields below, by name, that have the size instead of the field itself; undefined where the field has it. */
  readonly sizedFields: SizedFields | undefined;
}

/** Names of fields that have a size, or whose own fields may. */
export interface SizedFields {
  readonly hasSize: (name: string) => boolean;
  readonly below: (name: string) => SizedFields | undefined;
}

/** The cost of an input value. */
export interface InputWeight {
  /** True where any value, or a list of them, costs nothing. */
  readonly isFree: boolean;
  /** Of a scalar or of a list itself. */
  readonly weight: number;
  /** Of an input object, which has a cost even without a directive. */
  readonly objectWeight: number;
  readonly fieldWeight: (name: string) => InputWeight | undefined;
}

export type FieldCosts = (parentName: string, fieldName: string) => FieldCost | undefined;

/**
 * Reads `@cost` and `@listSize` with Apollo's weights: 1 for a composite type, 0 for a scalar, each unless a `@cost` of
 * the field, else of its type, says otherwise.
 */
export function fieldCosts(supergraph: Supergraph): FieldCosts {
  const origin = { identity: 'https://specs.apollo.dev/cost' };
  const cost = readerOf(supergraph, { ...origin, directive: 'cost' });
  const listSize = readerOf(supergraph, { ...origin, directive: 'listSize' });
  const read = (parentName: string, fieldName: string): FieldCost | undefined => {
    const field = fieldOf(supergraph.schema, parentName, fieldName);
    if (field === undefined) {
      return undefined;
    }
    const returned = getNamedType(field.type);
    const own = weightOn(field, cost) ?? weightOn(returned, cost);
    return {
      weight: own ?? (isCompositeType(returned) ? 1 : 0),
      returns: returned.name,
      isList: isListType(getNullableType(field.type)),
      listSizes: listSize(field).map(readListSize),
      requires: requiredBy(field),
      argumentWeight: (name) => {
        const argument = field.args.find((candidate) => candidate.name === name);
        return argument && inputWeight(argument, cost);
      },
      argumentDefaults: Object.fromEntries(
        field.args
          .filter(({ defaultValue }) => defaultValue !== undefined)
          .map(({ name, defaultValue }) => [name, defaultValue]),
      ),
    };
  };
  // Estimates need this at every request, and the number of fields is fixed by the schema.
  const known = new Map<string, FieldCost | undefined>();
  return (parentName, fieldName) => {
    const key = `${parentName}.${fieldName}`;
    if (!known.has(key)) {
      known.set(key, read(parentName, fieldName));
    }
    return known.get(key);
  };
}

function fieldOf(
  schema: GraphQLSchema,
  parentName: string,
  fieldName: string,
): GraphQLField<unknown, unknown> | undefined {
  const parent = schema.getType(parentName);
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[fieldName] : undefined;
}

/** The selections that the first subgraph with a `@requires` on a field requires. */
function requiredBy({ astNode }: Annotated): SelectionSetNode | undefined {
  for (const { name, arguments: nodes = [] } of astNode?.directives ?? []) {
    const value =
      name.value === 'join__field' ? nodes.find((node) => node.name.value === 'requires')?.value : undefined;
    if (value?.kind === Kind.STRING) {
      return readSelections(value.value);
    }
  }
  return undefined;
}

function weightOn(element: Annotated, cost: ReadDirective): number | undefined {
  const [use] = cost(element);
  return use === undefined ? undefined : Number(use['weight']);
}

interface Input extends Annotated {
  readonly type: GraphQLInputType;
}

function inputWeight(input: Input, cost: ReadDirective): InputWeight {
  const type = getNamedType(input.type);
  const own = weightOn(input, cost) ?? weightOn(type, cost);
  return {
    // A custom scalar may hold an object.
    isFree: (own ?? 0) === 0 && (isEnumType(type) || isSpecifiedScalarType(type)),
    weight: own ?? 0,
    objectWeight: own ?? 1,
    fieldWeight: (name) => {
      const field = isInputObjectType(type) ? type.getFields()[name] : undefined;
      return field && inputWeight(field, cost);
    },
  };
}

function readListSize({
  assumedSize,
  slicingArguments,
  sizedFields,
}: Readonly<Record<string, unknown>>): ListSize {
  const sized = namesIn(sizedFields);
  return {
    assumedSize: typeof assumedSize === 'number' ? assumedSize : undefined,
    slicingArguments: namesIn(slicingArguments),
    sizedFields: sized.length === 0 ? undefined : readSizedFields(sized.join(' ')),
  };
}

function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Each entry is a field, or a path to one in the notation of a selection: `results { page }`. */
function readSizedFields(selections: string): SizedFields {
  const set = readSelections(selections);
  return sizedFieldsOf(set === undefined ? [] : [set]);
}

function readSelections(selections: string): SelectionSetNode | undefined {
  const [definition] = parse(`{ ${selections} }`, { noLocation: true }).definitions;
  return definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet : undefined;
}

function sizedFieldsOf(sets: readonly SelectionSetNode[]): SizedFields {
  const fields = sets.flatMap(({ selections }) =>
    selections.filter((selection) => selection.kind === Kind.FIELD),
  );
  const named = (name: string): SelectionSetNode[] =>
    fields.flatMap((field) => (field.name.value === name && field.selectionSet ? [field.selectionSet] : []));
  return {
    hasSize: (name) => named(name).length === 0 && fields.some((field) => field.name.value === name),
    below: (name) => (named(name).length === 0 ? undefined : sizedFieldsOf(named(name))),
  };
}
