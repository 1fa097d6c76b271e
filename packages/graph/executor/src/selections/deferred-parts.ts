import type { GraphQLSchema } from 'graphql';

import type { Deferral, SelectedField, SelectionSet } from '../operation/selection.ts';
import { fieldsWhere } from '../operation/selection.ts';
import type { DeferredFragment, ResponsePath } from '../result.ts';
import { isOfType } from '../supergraph/schema-types.ts';
import { selectedFields } from './selected-fields.ts';

/** A deferred fragment on the objects of one type at one place of the data. */
export interface DeferredPart {
  /** Identifies it in its operation. */
  readonly key: string;
  readonly label: string | undefined;
  /** The numbers of the fragment, which may be spread at the place several times. */
  readonly fragments: readonly number[];
  /** The numbers of fragments whose fetches it waits for: itself, and those around it that select no field. */
  readonly waitsFor: readonly number[];
  /** The names of the fields that lead to its objects. */
  readonly place: readonly string[];
  readonly typeName: string;
  /** Its selections. */
  readonly sets: readonly SelectionSet[];
}

/** A deferred fragment of an object in a run. */
export interface FoundPart {
  readonly part: DeferredPart;
  readonly fragment: DeferredFragment;
  /** The object's position on the tape, while the run is on the fast path. */
  readonly object: number;
}

export function foundPart(part: DeferredPart, path: ResponsePath, object = 0): FoundPart {
  return { part, fragment: { label: part.label, path: [...path] }, object };
}

/** The most deferred fragments of all objects of a run: a disproportionate list would have more. */
export const maxFragmentsOfRun = 50_000;

/**
 * The fragments that selections of an object defer: those that are not inside other deferred ones. One that selects no
 * field of the type is none.
 */
export function deferredParts(
  schema: GraphQLSchema,
  sets: readonly SelectionSet[],
  { place, typeName }: Pick<DeferredPart, 'place' | 'typeName'>,
): readonly DeferredPart[] {
  const found = new Map<Deferral['directive'], { readonly deferral: Deferral; readonly inside: Inside[] }>();
  const collect = (set: SelectionSet, around: readonly number[]): void => {
    for (const selection of set) {
      if (selection.kind === 'field') {
        continue;
      }
      const { typeCondition, deferral, selections } = selection;
      if (typeCondition !== undefined && !isOfType(schema, typeName, typeCondition)) {
        continue;
      }
      if (deferral === undefined) {
        collect(selections, around);
        continue;
      }
      const waitsFor = [...around, deferral.number];
      if (selectedFields(schema, [selections], typeName).length === 0) {
        collect(selections, waitsFor);
      } else {
        const same = found.get(deferral.directive) ?? { deferral, inside: [] };
        found.set(deferral.directive, same);
        same.inside.push({ number: deferral.number, waitsFor, selections });
      }
    }
  };
  sets.forEach((set) => collect(set, []));
  return Array.from(found.values(), ({ deferral: { label }, inside }) => {
    const fragments = inside.map(({ number }) => number);
    return {
      key: `${fragments.join()} ${typeName}`,
      label,
      fragments,
      waitsFor: inside.flatMap((one) => one.waitsFor),
      place,
      typeName,
      sets: inside.map(({ selections }) => selections),
    };
  });
}

interface Inside {
  readonly number: number;
  readonly waitsFor: readonly number[];
  readonly selections: SelectionSet;
}

/** True when a fragment is deferred in a selection, however deep. */
export function hasDeferred(set: SelectionSet): boolean {
  return set.some(
    (selection) =>
      (selection.kind === 'fragment' && selection.deferral !== undefined) ||
      hasDeferred(selection.selections),
  );
}

/** The selections at a place, inside deferred fragments too. */
export function selectionsAt(selections: SelectionSet, place: readonly string[]): readonly SelectionSet[] {
  return place.reduce<readonly SelectionSet[]>(
    (sets, name) =>
      sets
        .flatMap((set) => fieldsWhere<SelectedField>(set, () => true))
        .filter(({ planName }) => planName === name)
        .map((field) => field.selections),
    [selections],
  );
}
