import { fieldsWhere } from '../operation/fields-where.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { isOfType } from '../supergraph/possible-types.ts';
import { entityFields } from './entity-document.ts';
import { hasRequiredBelow, requestedTypes, shapeAt } from './fetched-shape.ts';
import { fetchesOf } from './plan-steps.ts';
import type { FetchStep, OperationKind, PlanStep, RequiredField } from './plan.ts';
import type { Progress } from './unready-fetches.ts';
import { unreadyFetches } from './unready-fetches.ts';

/**
 * The fetches of fields with `@requires` that a plan makes before the fetches that supply their inputs. The planner makes
 * some too early where the keys on the way to their subgraph take several fetches.
 */
export function fetchesBeforeInputs(
  root: PlanStep,
  kind: OperationKind,
  supergraph: Supergraph,
): ReadonlySet<FetchStep> {
  const withRequires = fetchesOf(root).filter((fetch) => hasRequires(fetch, supergraph));
  return unreadyFetches(root, withRequires, { kind, supergraph }, (fetch, progress) =>
    hasInputs(fetch, progress, supergraph),
  );
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
      (field) =>
        field.planName === '__typename' ||
        ((here.fields.get(field.planName)?.parentTypes.has(type) === true ||
          complete.fields.get(field.planName)?.parentTypes.has(type) !== true) &&
          hasRequiredBelow(field, here, complete)),
    ),
  );
}
