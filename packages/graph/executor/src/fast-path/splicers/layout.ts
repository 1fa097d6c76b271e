import type { SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';

import type { FetchStep, PathStep, RequiredSelection } from '../../plan/plan.ts';
import { responseSelections } from '../../selections/response-fields.ts';
import { responseNameOf } from '../../operation/graphql-document.ts';

/** The layout of the objects at one place of the data. */
export interface Layout {
  /** The index of its place among the places of the plan. */
  readonly place: number;
  /** By plan name. */
  readonly slots: ReadonlyMap<string, number>;
  /** The places of the objects below, by plan name. */
  readonly below: ReadonlyMap<string, Layout>;
  /** The selections of each fetch that contributes here. */
  readonly fetched: readonly (readonly SelectionSetNode[])[];
  /** The fields of these objects that representations need, by plan name. */
  readonly required: ReadonlySet<string>;
  /** True when every object has its `__typename`. */
  readonly hasTypename: boolean;
  /** True when there are fetches for these objects. */
  readonly isTarget: boolean;
}

export interface Layouts {
  readonly root: Layout;
  /** The number of places. */
  readonly count: number;
}

interface GrowingLayout extends Layout {
  readonly slots: Map<string, number>;
  readonly below: Map<string, GrowingLayout>;
  readonly fetched: SelectionSetNode[][];
  readonly required: Set<string>;
  hasTypename: boolean;
  isTarget: boolean;
}

/**
 * Lays out the data of a plan. Undefined if two fetches supply objects for one place: the layout would depend on
 * which comes first.
 */
export function layOut(fetches: readonly FetchStep[]): Layouts | undefined {
  let count = 0;
  const createLayout = (): GrowingLayout => {
    count += 1;
    return {
      place: count - 1,
      slots: new Map(),
      below: new Map(),
      fetched: [],
      required: new Set(),
      hasTypename: false,
      isTarget: false,
    };
  };

  /** The selections of one fetch at each place. */
  let bringing = new Map<GrowingLayout, SelectionSetNode[]>();
  const bring = (set: SelectionSetNode, layout: GrowingLayout): boolean => {
    let sets = bringing.get(layout);
    if (sets === undefined) {
      sets = [];
      bringing.set(layout, sets);
      layout.fetched.push(sets);
    }
    sets.push(set);
    return add(set, layout);
  };
  /** Returns true when it fits: all objects below are new. */
  const add = (set: SelectionSetNode, layout: GrowingLayout): boolean =>
    set.selections.every((selection) => {
      if (selection.kind !== Kind.FIELD) {
        return selection.kind === Kind.INLINE_FRAGMENT && add(selection.selectionSet, layout);
      }
      const name = responseNameOf(selection);
      if (!layout.slots.has(name)) {
        layout.slots.set(name, layout.slots.size);
      }
      if (selection.selectionSet === undefined) {
        return true;
      }
      const known = layout.below.get(name);
      if (known !== undefined && !bringing.has(known)) {
        return false;
      }
      const below = known ?? createLayout();
      layout.below.set(name, below);
      below.hasTypename ||= selectsTypename(selection.selectionSet);
      return bring(selection.selectionSet, below);
    });

  const root = createLayout();
  for (const fetch of fetches) {
    const target = layoutAt(root, fetch.path);
    if (target === undefined) {
      return undefined;
    }
    target.isTarget = true;
    noteRequired(fetch.requires ?? [], target);
    bringing = new Map();
    if (!responseSelections(fetch).every((set) => bring(set, target))) {
      return undefined;
    }
  }
  return { root, count };
}

function noteRequired(selections: readonly RequiredSelection[], layout: GrowingLayout | undefined): void {
  for (const selection of selections) {
    if (selection.kind === 'fragment') {
      noteRequired(selection.selections, layout);
    } else {
      layout?.required.add(selection.planName);
      noteRequired(selection.selections ?? [], layout?.below.get(selection.planName));
    }
  }
}

/** The layout of a fetch's objects; undefined if its path checks types on the way. */
export function layoutAt<L extends Layout>(root: L, path: readonly PathStep[]): L | undefined;
export function layoutAt(root: Layout, path: readonly PathStep[]): Layout | undefined {
  return path.reduce<Layout | undefined>(
    (layout, { name, types }, index) =>
      types !== undefined && index < path.length - 1 ? undefined : layout?.below.get(name),
    root,
  );
}

/** True when `__typename` is selected for every type of the object. */
export function selectsTypename({ selections }: SelectionSetNode): boolean {
  return selections.some(
    (selection) => selection.kind === Kind.FIELD && responseNameOf(selection) === '__typename',
  );
}
