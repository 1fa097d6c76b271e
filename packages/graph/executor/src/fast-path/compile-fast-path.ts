import type { GraphQLCompositeType } from 'graphql';
import { isCompositeType } from 'graphql';

import type { SelectionSet } from '../operation/selection.ts';
import type { FetchStep, OperationPlan } from '../plan/plan.ts';
import { fetchesOf } from '../plan/plan-steps.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { findRootType } from '../supergraph/schema-types.ts';
import { responseSelections } from '../selections/response-fields.ts';
import type { DeferredPart } from '../selections/deferred-parts.ts';
import { isIntrospection } from '../selections/introspection.ts';
import type { SpliceResponse } from './splicers/response-splicer.ts';
import { createEntitiesSplicer, createRootSplicer } from './splicers/response-splicer.ts';
import type { SpliceData } from './splicers/data-splicer.ts';
import { createDataSplicer } from './splicers/data-splicer.ts';
import type { Layout } from './splicers/layout.ts';
import { layOut, layoutAt } from './splicers/layout.ts';
import { findLeafSpans } from './splicers/leaf-spans.ts';
import { createObjectSplicer } from './splicers/object-splicer.ts';
import type { FindParts } from './splicers/part-finder.ts';
import { createPartFinder } from './splicers/part-finder.ts';
import type { SpliceRepresentation } from './splicers/representation-splicer.ts';
import { createRepresentationSplicer } from './splicers/representation-splicer.ts';
import type { TypeNumbers } from './splicers/type-numbers.ts';
import { createTypeNumbers } from './splicers/type-numbers.ts';
import { bailOut } from './tape/fast-path-bailout.ts';

/**
 * A plan compiled for the fast path: representations and the client's response are copied from ranges of subgraph
 * responses.
 */
export interface FastPathPlan {
  /** The number of the root's type among `types`. */
  readonly rootTypeNumber: number;
  /** The number of fields of the root. */
  readonly rootSlots: number;
  /** The number of places in the data that hold objects; the root is the first. */
  readonly placeCount: number;
  readonly fetches: ReadonlyMap<FetchStep, FastPathFetch>;
  readonly types: TypeNumbers;
  readonly spliceData: SpliceData;
  /** Absent where no fragment is deferred. */
  readonly deferral: FastPathDeferral | undefined;
}

/** The deferred fragments of a plan. */
export interface FastPathDeferral {
  /** Finds those that the first result announces. */
  readonly findFirst: FindParts;
  readonly of: (part: DeferredPart) => FastPathPart;
}

/** A deferred fragment. */
export interface FastPathPart {
  readonly splice: SpliceData;
  /** Finds those inside. */
  readonly find: FindParts;
}

/** A fetch on the fast path. */
export interface FastPathFetch {
  /** Its index among the fetches of the plan. */
  readonly number: number;
  /** The place of its objects. */
  readonly place: number;
  /** The first fetch of the plan that has the same representations: itself, where it is the only one. */
  readonly sameAs: number;
  /** Absent for a fetch of root fields. */
  readonly spliceRepresentation: SpliceRepresentation | undefined;
  readonly spliceResponse: SpliceResponse;
}

/**
 * Compiles a plan for the fast path. Undefined for plans without one: those with introspection, renames, arguments
 * from a context, nested fetches without `requires`, objects that several fetches supply, or representations that
 * depend on more than the object's type.
 */
export function compileFastPath(
  supergraph: Supergraph,
  { operationKind, root, selections, order }: OperationPlan,
): FastPathPlan | undefined {
  const { schema, apiSchema } = supergraph;
  const rootType = findRootType(apiSchema, operationKind);
  const steps = fetchesOf(root);
  const layouts = layOut(steps);
  if (rootType === undefined || layouts === undefined || hasIntrospection(selections)) {
    return undefined;
  }
  const leafSpans = findLeafSpans({ schema, apiSchema }, layouts.root, {
    rootTypeName: rootType.name,
    selections,
  });
  const fetches = new Map<FetchStep, FastPathFetch>();
  const byRepresentations = new Map<string, number>();
  const types = createTypeNumbers();
  let writerCount = 0;
  const nextWriterNumber = (): number => (writerCount += 1);
  for (const step of steps) {
    const fetch = compileFetch(step, layouts.root);
    if (fetch === undefined) {
      return undefined;
    }
    fetches.set(step, fetch);
  }
  const isDeferring = order !== undefined;
  const splicing = { supergraph, leafSpans, types, nextWriterNumber, isDeferring };
  return {
    rootTypeNumber: types.numberOf(rootType.name),
    rootSlots: layouts.root.slots.size,
    placeCount: layouts.count,
    fetches,
    types,
    spliceData: createDataSplicer([selections], splicing, { layout: layouts.root, type: rootType }),
    deferral: isDeferring ? compileDeferral(layouts.root, rootType) : undefined,
  };

  function compileDeferral(rootLayout: Layout, type: GraphQLCompositeType): FastPathDeferral {
    const parts = new Map<string, FastPathPart>();
    const compilePart = ({ place, typeName, sets }: DeferredPart): FastPathPart => {
      const layout =
        place.reduce<Layout | undefined>((at, name) => at?.below.get(name), rootLayout) ?? bailOut();
      const partType = apiSchema.getType(typeName);
      const objects = { layout, type: isCompositeType(partType) ? partType : bailOut(), place };
      return {
        splice: createDataSplicer(sets, splicing, objects),
        find: createPartFinder(sets, splicing, objects),
      };
    };
    return {
      findFirst: createPartFinder([selections], splicing, { layout: rootLayout, type, place: [] }),
      of(part) {
        const compiled = parts.get(part.key) ?? compilePart(part);
        parts.set(part.key, compiled);
        return compiled;
      },
    };
  }

  function compileFetch(step: FetchStep, rootLayout: Layout): FastPathFetch | undefined {
    const { path, requires, renames, contextVariables } = step;
    const layout = layoutAt(rootLayout, path);
    const isSimple = renames.length === 0 && contextVariables.length === 0;
    if (layout === undefined || !isSimple || (requires === undefined && path.length > 0)) {
      return undefined;
    }
    const number = fetches.size;
    const key = representationsKey(step, layout.place) ?? String(number);
    const sameAs = byRepresentations.get(key) ?? number;
    byRepresentations.set(key, sameAs);
    const target = { number, place: layout.place, sameAs };
    // Entities may be of any type: only their `__typename` says which, and no type has the empty name.
    const staticType = requires === undefined ? (rootType?.name ?? '') : '';
    const reader = createObjectSplicer(
      responseSelections(step),
      { schemas: { schema, apiSchema }, leafSpans, types, nextWriterNumber },
      { layout, staticType },
    );
    if (requires === undefined) {
      return { ...target, spliceRepresentation: undefined, spliceResponse: createRootSplicer(reader) };
    }
    const spliceRepresentation = createRepresentationSplicer(supergraph, step, { types, layout });
    return (
      spliceRepresentation && {
        ...target,
        spliceRepresentation,
        spliceResponse: createEntitiesSplicer(reader),
      }
    );
  }
}

/**
 * Fetches with the same key have the same representations. Undefined where those depend on more: the keys of a subgraph
 * decide about types of which only the name is sent.
 */
function representationsKey(
  { path, requires, typenameRewrites }: FetchStep,
  place: number,
): string | undefined {
  const hasFields = requires?.every(
    (selection) =>
      selection.kind === 'fragment' &&
      selection.selections.some((inner) => inner.kind === 'field' && inner.name !== '__typename'),
  );
  return hasFields === true
    ? JSON.stringify([place, path.at(-1)?.types, requires, typenameRewrites])
    : undefined;
}

function hasIntrospection(selections: SelectionSet): boolean {
  return selections.some((selection) =>
    selection.kind === 'fragment'
      ? hasIntrospection(selection.selections)
      : isIntrospection(selection.fieldName),
  );
}
