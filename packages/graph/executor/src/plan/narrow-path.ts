import type { SelectionSet } from '../operation/selection.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { entityFields, mapEntitySet, partOfFetch } from './entity-document.ts';
import { isRequired, requiredSelectionsAt, pruneToRequired } from './required-selections.ts';
import type { FetchedShape } from './fetched-shape.ts';
import { namesInDataOf, shapeAt } from './fetched-shape.ts';
import type { FetchStep } from './plan.ts';

export interface NarrowPathOptions {
  /** The data of the fetches before this one. */
  readonly fetched: FetchedShape;
  /** All of the plan. */
  readonly fetches: readonly FetchStep[];
  readonly selections: SelectionSet;
  /** The types whose objects some subgraph knows as interface objects only. */
  readonly implementers: ReadonlySet<string>;
}

/**
 * Splits a fetch below an interface object, if more than one of its types is known and the selections below differ:
 * the planner's path does not name the types of the objects on it.
 */
export function narrowPath(
  fetch: FetchStep,
  { fetched, fetches, selections, implementers }: NarrowPathOptions,
  { schema }: Supergraph,
): readonly FetchStep[] {
  const index = divergingStep(fetch, fetched, implementers);
  const step = fetch.path[index];
  if (step === undefined || fetch.requires === undefined) {
    return [fetch];
  }
  const types = [...shapeAt(fetched, fetch.path.slice(0, index + 1)).types];
  const namesInData = namesInDataOf(fetch);
  const groups = new Map<string, { readonly part: FetchStep; readonly types: string[] }>();
  for (const type of types) {
    const requiredHere = requiredSelectionsAt(fetch.path, { fetches, selections, schema }, { index, type });
    const document = mapEntitySet(fetch.document, (set) =>
      pruneToRequired(set, requiredHere, undefined, namesInData),
    );
    if (!isRequired(requiredHere) || entityFields(document).length === 0) {
      continue;
    }
    const part = partOfFetch(fetch, document, fetch.requires);
    const group = groups.get(part.text) ?? { part, types: [] };
    groups.set(part.text, group);
    group.types.push(type);
  }
  const all = [...groups.values()];
  const covered = all.reduce((count, group) => count + group.types.length, 0);
  if (all.length === 0 || (all.length === 1 && covered === types.length)) {
    return [fetch];
  }
  return all.map((group) =>
    onPath(group.part, fetch.path.with(index, { name: step.name, types: group.types })),
  );
}

function onPath(fetch: FetchStep, path: FetchStep['path']): FetchStep {
  return { ...fetch, path };
}

/**
 * The first step of a path, before its last, to objects of which more than one type is known; -1 where there is none.
 */
function divergingStep(
  { path }: FetchStep,
  fetched: FetchedShape,
  implementers: ReadonlySet<string>,
): number {
  let shape: FetchedShape | undefined = fetched;
  for (const [index, { name, types }] of path.slice(0, -1).entries()) {
    shape = shape?.fields.get(name)?.shape;
    if (shape === undefined) {
      return -1;
    }
    const resolved = shape.fields.get('__typename')?.parentTypes;
    const isKnown = [...shape.types].every((type) => implementers.has(type) && resolved?.has(type) === true);
    if (types === undefined && shape.types.size > 1 && isKnown) {
      return index;
    }
  }
  return -1;
}
