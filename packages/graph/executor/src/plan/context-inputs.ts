// The planner does not always fetch the value of a context before its use: it may fetch it at the same time, later,
// or in the same fetch, if a field with `@requires` supplies it.
import type { GraphQLSchema } from 'graphql';

import { isOfType } from '../supergraph/schema-types.ts';
import type { FetchedShape } from './fetched-shape.ts';
import type { ContextVariable, FetchStep, PathStep } from './plan.ts';

/** The fetches done so far in a plan, and all of its fetches. */
export interface Progress {
  readonly fetched: FetchedShape;
  readonly all: FetchedShape;
}

/** True when the values of a fetch's contexts are available, as far as the plan fetches them. */
export function hasContexts(
  { path, contextVariables }: FetchStep,
  progress: Progress,
  schema: GraphQLSchema,
): boolean {
  return contextVariables.every(({ levels, ways }) => {
    const above = upTo(path, levels);
    return ways.every((way) => isThere(above, way, progress, schema));
  });
}

/** The path without its last fields, and with what narrows the one that is the last now. */
function upTo(path: readonly PathStep[], levels: number): readonly PathStep[] {
  let left = path.filter(({ name }) => name !== '').length - levels;
  const end = path.findIndex(({ name }) => name !== '' && (left -= 1) < 0);
  return end === -1 ? path : path.slice(0, end);
}

function isThere(
  path: readonly PathStep[],
  way: ContextVariable['ways'][number],
  { fetched, all }: Progress,
  schema: GraphQLSchema,
): boolean {
  let [here, complete]: [FetchedShape | undefined, FetchedShape] = [fetched, all];
  let conditions: (readonly string[])[] = [];
  const steps = [
    ...path.map(({ name, types }) => ({ name, types })),
    ...way.map(({ kind, name }) =>
      kind === 'type' ? { name: '', types: [name] } : { name, types: undefined },
    ),
  ];
  for (const { name, types } of steps) {
    if (name !== '') {
      const final = complete.fields.get(name);
      const field: typeof final = here?.fields.get(name);
      const meets = (type: string): boolean =>
        conditions.every((some) => some.some((condition) => isOfType(schema, type, condition)));
      const isMissing = [...(final?.parentTypes ?? [])].some(
        (type) => meets(type) && field?.parentTypes.has(type) !== true,
      );
      if (isMissing || final === undefined) {
        return !isMissing;
      }
      [here, complete] = [field?.shape, final.shape];
      conditions = [];
    }
    if (types !== undefined) {
      conditions.push(types);
    }
  }
  return true;
}
