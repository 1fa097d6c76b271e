import type { Supergraph } from '../supergraph/load-supergraph.ts';
import type { Progress } from './context-inputs.ts';
import { hasContexts } from './context-inputs.ts';
import { entityFields } from './entity-document.ts';
import { addFetch, createRoot, requestedTypes, shapeAt } from './fetched-shape.ts';
import type { FetchStep, OperationKind, PlanStep, RequiredSelection } from './plan.ts';
import { hasField, hasRequired } from './unready-fetches.ts';
import { withFields } from './split-fetch.ts';

/**
 * Orders the fetches of a query into rounds. Each fetch runs once its inputs and all other data of its
 * objects are available. When all fetches wait, the fields that are ready are split off. Undefined when none is:
 * fields wait for each other, or for data that no fetch supplies.
 */
export function orderByInputs(
  fetches: readonly FetchStep[],
  kind: OperationKind,
  supergraph: Supergraph,
): PlanStep | undefined {
  const all = createRoot(supergraph, kind, fetches);
  const fetched = createRoot(supergraph, kind);
  const rounds: PlanStep[] = [];
  let waiting = fetches;
  while (waiting.length > 0) {
    const isReadyNow = (fetch: FetchStep): boolean => isReady(fetch, { fetched, all }, supergraph);
    const ready = new Set(waiting.filter(isReadyNow));
    if (ready.size === 0) {
      const split = splitFirst(waiting, (fetch) => splitReady(fetch, isReadyNow, supergraph));
      if (split === undefined) {
        return undefined;
      }
      waiting = split;
    } else {
      rounds.push({ kind: 'parallel', steps: [...ready] });
      ready.forEach((fetch) => addFetch(fetched, fetch, supergraph));
      waiting = waiting.filter((fetch) => !ready.has(fetch));
    }
  }
  return { kind: 'sequence', steps: rounds };
}

/** The fetches, with the first that can be split in its parts. Undefined where none can be. */
function splitFirst(
  fetches: readonly FetchStep[],
  split: (fetch: FetchStep) => readonly FetchStep[] | undefined,
): readonly FetchStep[] | undefined {
  for (const [index, fetch] of fetches.entries()) {
    const parts = split(fetch);
    if (parts !== undefined) {
      return fetches.toSpliced(index, 1, ...parts);
    }
  }
  return undefined;
}

/**
 * Splits a fetch of entities that waits for the inputs of some of its fields: into the fields that are ready without
 * these inputs, and the rest. Undefined where no field is ready.
 */
function splitReady(
  fetch: FetchStep,
  isReady: (part: FetchStep) => boolean,
  supergraph: Supergraph,
): readonly [FetchStep, FetchStep] | undefined {
  const part = (isKept: (key: string) => boolean): FetchStep =>
    withFields(fetch, ({ key }) => isKept(key), supergraph);
  const keys = new Set(entityFields(fetch.document).map(({ key }) => key));
  const ready = new Set([...keys].filter((key) => isReady(part((other) => other === key))));
  return ready.size === 0 || ready.size === keys.size
    ? undefined
    : [part((key) => ready.has(key)), part((key) => !ready.has(key))];
}

function isReady(fetch: FetchStep, progress: Progress, supergraph: Supergraph): boolean {
  let [here, complete] = [progress.fetched, progress.all];
  for (const { name } of fetch.path) {
    if (name !== '') {
      const field = here.fields.get(name);
      const final = complete.fields.get(name);
      if (field === undefined || final === undefined || field.parentTypes.size < final.parentTypes.size) {
        return false;
      }
      [here, complete] = [field.shape, final.shape];
    }
  }
  return isSupplied(fetch, progress, supergraph);
}

/** True when the types, the inputs and the contexts of a fetch's objects are available. */
export function isSupplied(fetch: FetchStep, progress: Progress, { schema }: Supergraph): boolean {
  const { path, requires = [] } = fetch;
  const [here, complete] = [shapeAt(progress.fetched, path), shapeAt(progress.all, path)];
  return (
    [...requestedTypes(fetch, schema)].every((type) => {
      // A fetch that supplies it for other types only is not awaited.
      const isAwaited = (name: string): boolean =>
        !complete.fields.has(name) || hasField(complete, name, type);
      // An object that is looked up by a type must be known to have that type.
      const hasType =
        hasField(here, '__typename', type) ||
        !isAwaited('__typename') ||
        !requires.some((selection) => isCondition(selection, type));
      return hasType && hasRequired(fetch, type, { here, complete, schema }, isAwaited);
    }) && hasContexts(fetch, progress, schema)
  );
}

function isCondition(selection: RequiredSelection, type: string): boolean {
  return selection.kind === 'fragment' && selection.typeCondition === type;
}
