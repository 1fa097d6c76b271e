import { fieldsWhere } from '../operation/selection.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { isOfType } from '../supergraph/schema-types.ts';
import type { Progress } from './context-inputs.ts';
import { hasContexts } from './context-inputs.ts';
import { entityFields } from './entity-document.ts';
import type { FetchedShape } from './fetched-shape.ts';
import { createRoot, hasRequiredBelow, requestedTypes, shapeAt } from './fetched-shape.ts';
import type { FetchStep, OperationKind, PlanStep, RequiredField } from './plan.ts';
import { fetchesOf } from './plan-steps.ts';

/** The fetches that a plan makes before the values of their contexts are available. */
export function fetchesTooEarly(
  root: PlanStep,
  kind: OperationKind,
  supergraph: Supergraph,
): ReadonlySet<FetchStep> {
  const withContexts = fetchesOf(root).filter(({ contextVariables }) => contextVariables.length > 0);
  return unreadyFetches(root, withContexts, { kind, supergraph }, (fetch, progress) =>
    hasContexts(fetch, progress, supergraph.schema),
  );
}

/**
 * The fetches of fields with `@requires` that a plan makes before the fetches that supply their inputs. The planner makes
 * some too early where the keys on the way to their subgraph take several fetches.
 */
export function fetchesBeforeInputs(
  root: PlanStep,
  kind: OperationKind,
  supergraph: Supergraph,
): ReadonlySet<FetchStep> {
  const { schema, subgraphTypes } = supergraph;
  const withRequires = fetchesOf(root).filter(
    ({ document, subgraph, requires }) =>
      requires !== undefined &&
      entityFields(document).some(
        ({ typeName, name }) => subgraphTypes.requiresOf(subgraph, typeName, name) !== undefined,
      ),
  );
  return unreadyFetches(root, withRequires, { kind, supergraph }, (fetch, { fetched, all }) => {
    const places = { here: shapeAt(fetched, fetch.path), complete: shapeAt(all, fetch.path) };
    return [...requestedTypes(fetch, schema)].every((type) =>
      hasRequired(fetch, type, { ...places, schema }, (name) => hasField(places.complete, name, type)),
    );
  });
}

interface RequiredPlaces {
  /** The objects of a fetch, with the data so far and with all data. */
  readonly here: FetchedShape;
  readonly complete: FetchedShape;
  readonly schema: Supergraph['schema'];
}

/**
 * True when the required fields of a fetch's objects of a type are there, with all that is required below them.
 *
 * @param isAwaited of a field that is not there: false where no fetch is waited for
 */
export function hasRequired(
  { requires = [] }: FetchStep,
  type: string,
  { here, complete, schema }: RequiredPlaces,
  isAwaited: (planName: string) => boolean,
): boolean {
  return fieldsWhere<RequiredField>(requires, (condition) => isOfType(schema, type, condition ?? type)).every(
    (field) =>
      field.planName === '__typename' ||
      ((hasField(here, field.planName, type) || !isAwaited(field.planName)) &&
        hasRequiredBelow(field, here, complete)),
  );
}

/** True when a field is fetched for objects of a type. */
export function hasField({ fields }: FetchedShape, planName: string, type: string): boolean {
  return fields.get(planName)?.parentTypes.has(type) === true;
}

/** The given fetches that are not ready when the plan makes them. */
function unreadyFetches(
  root: PlanStep,
  fetches: readonly FetchStep[],
  { kind, supergraph }: { readonly kind: OperationKind; readonly supergraph: Supergraph },
  isReady: (fetch: FetchStep, progress: Progress) => boolean,
): ReadonlySet<FetchStep> {
  const unready = new Set<FetchStep>();
  if (fetches.length === 0) {
    return unready;
  }
  const all = createRoot(supergraph, kind, fetchesOf(root));
  /** The available fetches after a step, given those before it. */
  const follow = (step: PlanStep, before: readonly FetchStep[]): readonly FetchStep[] => {
    switch (step.kind) {
      case 'fetch':
        if (
          fetches.includes(step) &&
          !isReady(step, { fetched: createRoot(supergraph, kind, before), all })
        ) {
          unready.add(step);
        }
        return [...before, step];
      case 'parallel':
        return [...new Set([...before, ...step.steps.flatMap((child) => follow(child, before))])];
      case 'sequence':
      default:
        return step.steps.reduce((done, child) => follow(child, done), before);
    }
  };
  follow(root, []);
  return unready;
}
