// The planner may put types whose fields have arguments from a context into one fetch with others, for which nothing above
// sets the context. Such a fetch is made for objects with a value for the context only. Here the others get a fetch of
// their own, at the same time.
import { isOfType } from '../supergraph/schema-types.ts';
import type { Supergraph } from '../supergraph/load-supergraph.ts';
import { entityFields, keepEntityFields, partOfFetch } from './entity-document.ts';
import type { FetchStep, RequiredSelection } from './plan.ts';

/** The fetch, or its parts: the types with arguments from contexts, and those without. */
export function separateContexts(fetch: FetchStep, { schema }: Supergraph): readonly FetchStep[] {
  const { document, contextVariables, requires } = fetch;
  if (contextVariables.length === 0 || requires === undefined) {
    return [fetch];
  }
  const isFor = (selection: RequiredSelection, type: string): boolean => {
    const condition = selection.kind === 'fragment' ? (selection.typeCondition ?? type) : type;
    return isOfType(schema, type, condition) || isOfType(schema, condition, type);
  };
  const types = new Set(entityFields(document).map(({ typeName }) => typeName));
  const partFor = (part: ReadonlySet<string>): FetchStep =>
    partOfFetch(
      fetch,
      keepEntityFields(document, ({ typeName }) => part.has(typeName)),
      requires.filter((selection) => [...part].some((type) => isFor(selection, type))),
    );
  const withContexts = new Set(
    [...types].filter((type) => partFor(new Set([type])).contextVariables.length > 0),
  );
  const others = new Set([...types].filter((type) => !withContexts.has(type)));
  return others.size === 0 ? [fetch] : [partFor(withContexts), partFor(others)];
}
