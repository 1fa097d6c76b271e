import { fieldsWhere } from '../operation/fields-where.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { isOfType } from '../supergraph/possible-types.ts';
import type { Progress } from './context-inputs.ts';
import { entityFields } from './entity-document.ts';
import { createRoot, requestedTypes, shapeAt } from './fetched-shape.ts';
import { fetchesOf } from './fetches-of.ts';
import type { FetchStep, OperationKind, PlanStep, RequiredField } from './plan.ts';

/**
 * True when each fetch of fields with `@requires` runs after the fetches that supply its inputs. The planner makes some
 * too early where the keys on the way to their subgraph take several fetches.
 */
export function isOrdered(root: PlanStep, kind: OperationKind, supergraph: Supergraph): boolean {
  const fetches = fetchesOf(root);
  const waiting = new Set(fetches.filter((fetch) => hasRequires(fetch, supergraph)));
  if (waiting.size === 0) {
    return true;
  }
  const all = createRoot(supergraph, kind, fetches);
  let areOrdered = true;
  /** The available fetches after a step, given those before it. */
  const follow = (step: PlanStep, before: readonly FetchStep[]): readonly FetchStep[] => {
    switch (step.kind) {
      case 'fetch':
        if (waiting.has(step)) {
          const fetched = createRoot(supergraph, kind, before);
          areOrdered &&= hasInputs(step, { fetched, all }, supergraph);
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
  return areOrdered;
}

function hasRequires({ document, subgraph, requires }: FetchStep, { subgraphTypes }: Supergraph): boolean {
  return (
    requires !== undefined &&
    entityFields(document).some(
      ({ typeName, name }) => subgraphTypes.requiresOf(subgraph, typeName, name) !== undefined,
    )
  );
}

/** True when a fetch is not before another that supplies one of its inputs. */
function hasInputs(fetch: FetchStep, { fetched, all }: Progress, { schema }: Supergraph): boolean {
  const { path, requires = [] } = fetch;
  const here = shapeAt(fetched, path);
  const complete = shapeAt(all, path);
  return [...requestedTypes(fetch, schema)].every((type) =>
    fieldsWhere<RequiredField>(requires, (condition) => isOfType(schema, type, condition ?? type)).every(
      ({ planName }) =>
        planName === '__typename' ||
        here.fields.get(planName)?.parentTypes.has(type) === true ||
        complete.fields.get(planName)?.parentTypes.has(type) !== true,
    ),
  );
}
