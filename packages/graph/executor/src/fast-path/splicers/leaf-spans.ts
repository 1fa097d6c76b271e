import type { GraphQLSchema } from 'graphql';
import { getNamedType, isObjectType } from 'graphql';

import type { SelectionSet } from '../../operation/selection.ts';
import { responseFields } from '../../selections/response-fields.ts';
import { selectedFields } from '../../selections/selected-fields.ts';
import type { SplicerSchemas } from './leaf-skipper.ts';
import type { Layout } from './layout.ts';

/** Leaves of a type that are adjacent in the response and in the client's data: one range, from the first key on. */
export interface LeafSpan {
  /** Their plan names. */
  readonly names: readonly string[];
  /** The leaf in whose slot the range is stored; no representation needs it by itself. */
  readonly keptAt: string;
  /** True when the object ends with them on both sides: the range includes its closing brace. */
  readonly endsObject: boolean;
}

export type LeafSpans = (layout: Layout, typeName: string) => readonly LeafSpan[];

/** Finds the spans of leaves in the data of an operation. */
export function findLeafSpans(
  { schema, apiSchema }: SplicerSchemas,
  rootLayout: Layout,
  { rootTypeName, selections }: { readonly rootTypeName: string; readonly selections: SelectionSet },
): LeafSpans {
  const selected = selectedAt(apiSchema, rootLayout, { typeName: rootTypeName, sets: [selections] });
  return (layout, typeName) => {
    const sets = selected.get(layout);
    if (sets === undefined || !isObjectType(apiSchema.getType(typeName))) {
      return [];
    }
    const responses = layout.fetched.map((fetched) => [...responseFields(schema, fetched, typeName).keys()]);
    const fields = selectedFields(apiSchema, sets, typeName).map(({ field }) => field);
    const leafSpans: LeafSpan[] = [];
    let names: string[] = [];
    const endRun = (endsObject: boolean): void => {
      const keptAt = names.find((name) => !layout.required.has(name));
      if (keptAt !== undefined) {
        leafSpans.push({ names, keptAt, endsObject });
      }
      names = [];
    };
    for (const { planName, responseName, fieldName } of fields) {
      const [response, another] = responses.filter((keys) => keys.includes(planName));
      const isCutOut =
        response !== undefined &&
        another === undefined &&
        responseName === planName &&
        fieldName !== '__typename' &&
        !layout.below.has(planName);
      const before = names.at(-1);
      const follows = before === undefined || response?.[response.indexOf(planName) - 1] === before;
      if (!isCutOut || !follows) {
        endRun(false);
      }
      if (isCutOut) {
        names.push(planName);
      }
    }
    const last = names.at(-1);
    endRun(last !== undefined && responses.some((keys) => keys.at(-1) === last));
    return leafSpans;
  };
}

/**
 * The client's selections at each place that is reached through object types alone. Below an abstract type
 * they could differ for each of its types.
 */
function selectedAt(
  apiSchema: GraphQLSchema,
  root: Layout,
  {
    typeName: rootTypeName,
    sets: rootSets,
  }: { readonly typeName: string; readonly sets: readonly SelectionSet[] },
): ReadonlyMap<Layout, readonly SelectionSet[]> {
  const selected = new Map<Layout, readonly SelectionSet[]>();
  const visit = (layout: Layout, typeName: string, sets: readonly SelectionSet[]): void => {
    selected.set(layout, sets);
    const type = apiSchema.getType(typeName);
    if (!isObjectType(type)) {
      return;
    }
    for (const { field, below } of selectedFields(apiSchema, sets, typeName)) {
      const definition = type.getFields()[field.fieldName];
      const layoutBelow = layout.below.get(field.planName);
      if (definition !== undefined && layoutBelow !== undefined) {
        visit(layoutBelow, getNamedType(definition.type).name, below);
      }
    }
  };
  visit(root, rootTypeName, rootSets);
  return selected;
}
