// The planner's paths name no types: `... on A { to { x } } ... on B { to { y } }` may become one fetch of both fields for
// the objects of both paths. Where `y` has a `@requires`, its inputs are not fetched below `A`, and `x` is lost there.
// Here such a field gets a name for each type of its object, so that the planner keeps them apart.
import { OperationError } from '../operation/operation.ts';
import { maxSelections } from '../operation/read-operation.ts';
import type { SelectedField, SelectedFragment, Selection, SelectionSet } from '../operation/selection.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { OccurringTypes } from '../supergraph/occurring-types.ts';
import { intersect } from '../supergraph/occurring-types.ts';
import { findRootType } from '../supergraph/schema-types.ts';
import type { OperationKind } from './plan.ts';

type Types = ReadonlySet<string>;

/** Selections of the objects of these types. */
interface Scope {
  readonly selections: SelectionSet;
  readonly types: Types;
}

/** A selected field with selections, and the types of the objects on which it is selected. */
interface Occurrence {
  readonly field: SelectedField;
  readonly types: Types;
}

/** A field as it is for some types. */
interface Variant {
  readonly planName: string;
  readonly types: Types;
  readonly selections: ReadonlyMap<SelectedField, SelectionSet>;
}

/**
 * The selections, with a name for each group of types where a field leads to fields with inputs (`@requires`,
 * `@fromContext`), and not to the same of them, or of their inputs, on all types.
 *
 * @throws {OperationError} when there are too many of them
 */
export function separateTypes(
  selections: SelectionSet,
  kind: OperationKind,
  { supergraph, occurring }: { readonly supergraph: Supergraph; readonly occurring: OccurringTypes },
): SelectionSet {
  const { schema, knownNames } = supergraph;
  const { withInputs, selectedByPlanner } = knownNames;
  const toInputs = fieldsLeadingTo(withInputs, selections);
  if (toInputs.size === 0) {
    return selections;
  }
  // Inputs count too: the planner may fetch one for some types by another key than for those that need it.
  const concerned = fieldsLeadingTo(new Set([...withInputs, ...selectedByPlanner]), selections);
  const names = new Map<string, string>();
  let count = 0;

  const addToCount = (added: number): void => {
    count += added;
    if (count > maxSelections) {
      throw new OperationError(
        `The operation has more than ${maxSelections} selections with its fields apart for each type`,
      );
    }
  };

  const nameOf = (planName: string, group: number): string => {
    const key = `${group}:${planName}`;
    const name = names.get(key) ?? `${knownNames.privatePrefix}t${names.size}`;
    names.set(key, name);
    return name;
  };

  const occurrencesIn = ({ selections: set, types }: Scope): readonly Occurrence[] =>
    set.flatMap((selection) => {
      if (selection.kind === 'fragment') {
        return occurrencesIn(scopeOf(selection, types));
      }
      return selection.node.selectionSet === undefined ? [] : [{ field: selection, types }];
    });

  const scopeOf = ({ typeCondition, selections: set }: SelectedFragment, types: Types): Scope => ({
    selections: set,
    types: occurring.narrow(types, typeCondition),
  });

  const variantsOf = (same: readonly Occurrence[]): readonly Variant[] => {
    const isSeparate = same.some(({ field }) => toInputs.has(field));
    const groups = groupsOf(same, (field) => isSeparate && concerned.has(field));
    return groups.map((types, index): Variant => {
      const here = same
        .map((one): Occurrence => ({ field: one.field, types: intersect(one.types, types) }))
        .filter((one) => one.types.size > 0);
      const below = rewrite(
        here.map(({ field, types: own }) => ({
          selections: field.selections,
          types: occurring.possibleBelow(own, field.fieldName),
        })),
      );
      const planName = same[0]?.field.planName ?? '';
      return {
        planName: groups.length > 1 ? nameOf(planName, index) : planName,
        types,
        selections: new Map(here.map(({ field }, position) => [field, below[position] ?? []])),
      };
    });
  };

  /** Rewrites the selections of one place, each on its own. */
  const rewrite = (scopes: readonly Scope[]): readonly SelectionSet[] => {
    const byName = new Map<string, Occurrence[]>();
    for (const one of scopes.flatMap(occurrencesIn)) {
      const same = byName.get(one.field.planName) ?? [];
      same.push(one);
      byName.set(one.field.planName, same);
    }
    const variants = new Map(Array.from(byName, ([name, same]) => [name, variantsOf(same)]));

    const write = (selection: Selection, types: Types): readonly Selection[] => {
      addToCount(1);
      if (selection.kind === 'fragment') {
        const below = scopeOf(selection, types);
        return [{ ...selection, selections: below.selections.flatMap((one) => write(one, below.types)) }];
      }
      const here = (variants.get(selection.planName) ?? []).filter((variant) =>
        variant.selections.has(selection),
      );
      const [only, another] = here;
      if (only === undefined) {
        return [selection];
      }
      if (another === undefined) {
        return [fieldAs(selection, only)];
      }
      addToCount(types.size);
      return here.flatMap((variant) =>
        [...intersect(variant.types, types)].map((type): Selection => ({
          kind: 'fragment',
          typeCondition: type,
          selections: [fieldAs(selection, variant)],
        })),
      );
    };
    return scopes.map((scope) => scope.selections.flatMap((selection) => write(selection, scope.types)));
  };

  const root = new Set([findRootType(schema, kind)?.name ?? '']);
  return rewrite([{ selections, types: root }])[0] ?? [];
}

function fieldAs(field: SelectedField, { planName, selections }: Variant): SelectedField {
  return { ...field, planName, selections: selections.get(field) ?? [] };
}

/** The fields below which one of these names is selected. */
function fieldsLeadingTo(names: ReadonlySet<string>, selections: SelectionSet): ReadonlySet<SelectedField> {
  const leading = new Set<SelectedField>();
  const leads = (set: SelectionSet): boolean =>
    set.reduce((any, selection) => {
      const isAbove = leads(selection.selections);
      if (selection.kind === 'field' && isAbove) {
        leading.add(selection);
      }
      return any || isAbove || (selection.kind === 'field' && names.has(selection.fieldName));
    }, false);
  leads(selections);
  return leading;
}

/** The types of the objects, together where the same of their fields count. */
function groupsOf(same: readonly Occurrence[], counts: (field: SelectedField) => boolean): readonly Types[] {
  const counted = new Set(same.flatMap(({ field, types }) => (counts(field) ? [types] : [])));
  const groups = new Map<string, Set<string>>();
  for (const type of new Set(same.flatMap(({ types }) => [...types]))) {
    const key = Array.from(counted, (types) => (types.has(type) ? '1' : '0')).join('');
    groups.set(key, (groups.get(key) ?? new Set()).add(type));
  }
  return [...groups.values()];
}
