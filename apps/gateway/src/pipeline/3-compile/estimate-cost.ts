import { fragmentsByName } from '@meridian/executor';
import { ExactNumber } from '@meridian/json';
import { isRecord } from '@meridian/settings/values';
import type {
  DirectiveNode,
  DocumentNode,
  FieldNode,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
} from 'graphql';
import { Kind, OperationTypeNode, valueFromASTUntyped } from 'graphql';

import type { EstimateCost } from '../../operation/compiled-operation.ts';
import type { FieldCosts, ListSize, SizedFields } from '../../supergraph/field-costs.ts';
import { argumentValues, costOfArguments } from './argument-cost.ts';
import type { Variables } from '../../operation/admitted-operation.ts';
import { findVariableDependentSelections } from './variable-dependent-selections.ts';

export interface CostOptions {
  readonly schema: GraphQLSchema;
  readonly costOf: FieldCosts;
  /** The length of a list without a directive. */
  readonly assumedListSize: number;
  /** False for the operation of a fetch: the plan fetches what `@requires` needs by itself. Default: true. */
  readonly countsRequirements?: boolean;
}

/** The base cost of a mutation. */
export const mutationCost = 10;

/** A size that an ancestor gives to fields below it. */
interface GivenSize {
  readonly size: number | undefined;
  readonly to: SizedFields;
}

/**
 * Prepares the estimate of an operation's cost, with Apollo's weights. A field costs its instances times the
 * sum of its own weight and its selections' cost; its arguments cost once. A list has as many instances as
 * its slicing argument says, else its `assumedSize`, else the default for lists. The selections of its
 * `@requires` are added once, also when the client selects them too; other entity fetches add nothing.
 *
 * A fragment is estimated once for equal list sizes, so nested fragments cannot make the estimate slow. The
 * operation must be valid.
 *
 * Spec: Limits, rule 2.
 */
export function prepareEstimate(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { schema, costOf, assumedListSize, countsRequirements = true }: CostOptions,
): EstimateCost {
  const fragments = fragmentsByName(document);
  const rootName = schema.getRootType(operation.operation)?.name ?? '';
  const dependsOnVariables = findVariableDependentSelections(fragments, costOf);
  // Selections that depend on no variable and on no list size from above are estimated once, by the first
  // request.
  const unvaried = new Map<SelectionSetNode, number>();
  /** The cost of an operation that depends on no variable, once it is known. */
  let constant: number | undefined;

  return (variables) => {
    if (constant !== undefined) {
      return constant;
    }
    const estimated = new Map<readonly GivenSize[], Map<string, number>>();

    const costOfSelections = (
      selectionSet: SelectionSetNode,
      parentName: string,
      given: readonly GivenSize[],
    ): number => {
      if (given !== noSizes || dependsOnVariables(selectionSet, parentName)) {
        return sumOfSelections(selectionSet, parentName, given);
      }
      // A selection set occurs at one place, and so applies to one type.
      const cost = unvaried.get(selectionSet) ?? sumOfSelections(selectionSet, parentName, given);
      unvaried.set(selectionSet, cost);
      return cost;
    };

    const sumOfSelections = (
      { selections }: SelectionSetNode,
      parentName: string,
      given: readonly GivenSize[],
    ): number => {
      let cost = 0;
      for (const selection of selections) {
        if (!isIncluded(selection.directives, variables)) {
          continue;
        }
        switch (selection.kind) {
          case Kind.FIELD:
            cost += costOfField(selection, parentName, given);
            break;
          case Kind.INLINE_FRAGMENT: {
            const typeName = selection.typeCondition?.name.value ?? parentName;
            cost += costOfSelections(selection.selectionSet, typeName, given);
            break;
          }
          case Kind.FRAGMENT_SPREAD:
            cost += costOfFragment(selection.name.value, given);
            break;
        }
      }
      return cost;
    };

    const costOfFragment = (name: string, given: readonly GivenSize[]): number => {
      const byName = estimated.get(given) ?? new Map<string, number>();
      estimated.set(given, byName);
      const fragment = fragments.get(name);
      const cost =
        byName.get(name) ??
        (fragment ? costOfSelections(fragment.selectionSet, fragment.typeCondition.name.value, given) : 0);
      byName.set(name, cost);
      return cost;
    };

    const costOfField = (field: FieldNode, parentName: string, given: readonly GivenSize[]): number => {
      const name = field.name.value;
      const rules = costOf(parentName, name);
      if (rules === undefined) {
        return 0;
      }
      const values = argumentValues(field, variables);
      const sizes = rules.listSizes.map((rule) => ({
        rule,
        size: expectedSize(rule, { ...rules.argumentDefaults, ...values }),
      }));
      const instances = rules.isList ? instanceCount(name, sizes, given) : 1;
      const below =
        field.selectionSet === undefined
          ? 0
          : costOfSelections(field.selectionSet, rules.returns, sizesBelow(name, sizes, given));
      const required =
        rules.requires === undefined || !countsRequirements
          ? 0
          : costOfSelections(rules.requires, parentName, noSizes);
      return instances * (rules.weight + below) + costOfArguments(rules, values) + required;
    };

    const instanceCount = (name: string, sizes: readonly OwnSize[], given: readonly GivenSize[]): number =>
      maxOf(given.filter(({ to }) => to.hasSize(name)).map(({ size }) => size)) ??
      maxOf(sizes.filter(({ rule }) => rule.sizedFields === undefined).map(({ size }) => size)) ??
      assumedListSize;

    const fixed = operation.operation === OperationTypeNode.MUTATION ? mutationCost : 0;
    const cost = fixed + costOfSelections(operation.selectionSet, rootName, noSizes);
    if (!dependsOnVariables(operation.selectionSet, rootName)) {
      constant = cost;
    }
    return cost;
  };
}

/** True when the estimate of an operation may depend on its variables. */
export function dependsOnVariables(
  document: DocumentNode,
  { operation, selectionSet }: OperationDefinitionNode,
  { schema, costOf }: Pick<CostOptions, 'schema' | 'costOf'>,
): boolean {
  const depends = findVariableDependentSelections(fragmentsByName(document), costOf);
  return depends(selectionSet, schema.getRootType(operation)?.name ?? '');
}

/** A `@listSize` of a field, with the size that it yields. */
interface OwnSize {
  readonly rule: ListSize;
  readonly size: number | undefined;
}

const noSizes: readonly GivenSize[] = [];

/**
 * The list sizes for the selections of a field: its own `sizedFields`, and those from ancestors that apply
 * further down.
 */
function sizesBelow(
  name: string,
  own: readonly OwnSize[],
  given: readonly GivenSize[],
): readonly GivenSize[] {
  const sizes = [
    ...own.flatMap(({ rule, size }) =>
      rule.sizedFields === undefined ? [] : [{ size, to: rule.sizedFields }],
    ),
    ...given.flatMap(({ size, to }) => {
      const below = to.below(name);
      return below === undefined ? [] : [{ size, to: below }];
    }),
  ];
  return sizes.length === 0 ? noSizes : sizes;
}

function expectedSize({ slicingArguments, assumedSize }: ListSize, values: Variables): number | undefined {
  return maxOf(slicingArguments.map((path) => sizeIn(valueAt(values, path)))) ?? assumedSize;
}

/**
 * A number is a size, and so is the length of a list. A negative one counts as not given: what a subgraph makes of it is
 * unknown.
 */
function sizeIn(value: unknown): number | undefined {
  if (Array.isArray(value)) {
    return value.length;
  }
  const size = typeof value === 'number' || value instanceof ExactNumber ? Number(value) : -1;
  // A cost that is not finite could not be compared.
  return size < 0 ? undefined : Math.min(size, Number.MAX_SAFE_INTEGER);
}

function valueAt(values: Variables, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), values);
}

/**
 * True when `@skip` and `@include` leave a selection in. A condition without a value counts as true: a high estimate
 * is safe.
 */
function isIncluded(directives: readonly DirectiveNode[] = [], variables: Variables): boolean {
  return directives.every(({ name, arguments: nodes = [] }) => {
    const [condition] = nodes;
    const isMet = condition && valueFromASTUntyped(condition.value, variables);
    return !((name.value === 'skip' && isMet === true) || (name.value === 'include' && isMet === false));
  });
}

function maxOf(sizes: readonly (number | undefined)[]): number | undefined {
  return sizes.reduce(
    (one, other) => (one === undefined || other === undefined ? (one ?? other) : Math.max(one, other)),
    undefined,
  );
}
